wide = 900; high = 620
load plots.'/style.gp'
file = data.'/residuals.dat'
unset key
set multiplot
set lmargin at screen 0.11; set rmargin at screen 0.97
set xrange [0:100]; set xtics 10
set tmargin at screen 0.93; set bmargin at screen 0.56
set title '4 boxes, discrete action: what is left of the constraints, largest of every 50 steps'
set ylabel '|e·e − 1|  [10^{−15}]' offset 0.5,0
set yrange [0:1.05]; set ytics 0.2
plot file using 1:($2*1e15) with points pt 7 ps 0.3 lc rgb plum
set tmargin at screen 0.44; set bmargin at screen 0.10
set title 'gaps of the ball joints'
set ylabel 'gap  [10^{−15} m]' offset 0.5,0
set yrange [0:5]; set ytics 1
set xlabel 'time  [s]'
plot file using 1:($3*1e15) with points pt 7 ps 0.3 lc rgb green
unset multiplot
