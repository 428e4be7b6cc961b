wide = 900; high = 620
load plots.'/style.gp'
file = data.'/energy.dat'
unset key
set multiplot
set lmargin at screen 0.11; set rmargin at screen 0.97
set ylabel 'H − H(0)  [J]' offset 0.5,0
set tmargin at screen 0.93; set bmargin at screen 0.56
set title '4 boxes, discrete action, h = 0.002 s: the Hamilton function, H(0) = −997.869 J'
set yrange [-0.55:0.08]; set ytics 0.1; set xrange [0:100]; set xtics 10
plot file using 1:2 with lines lw 0.8 lc rgb blue
set tmargin at screen 0.45; set bmargin at screen 0.10
set title 'the first 10 s'
set yrange [-0.22:0.03]; set ytics 0.05; set xrange [0:10]; set xtics 1
set xlabel 'time  [s]'
plot file using 1:2 with lines lw 1.4 lc rgb blue
unset multiplot
