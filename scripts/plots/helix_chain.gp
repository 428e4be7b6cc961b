wide = 1200; high = 740
load plots.'/style.gp'
file = data.'/helix.dat'
unset key; unset border; unset tics; unset grid
set size ratio -1
set xrange [-3:105]; set yrange [-17:58]
set lmargin at screen 0.01; set rmargin at screen 0.91; set tmargin at screen 0.99; set bmargin at screen 0.01
set logscale cb; set cbrange [1:3e3]
set cbtics ('1 N' 1, '10 N' 10, '100 N' 100, '1 kN' 1e3) scale 0.5
set colorbox user origin 0.93,0.2 size 0.015,0.55 noborder
set label 'force in' at screen 0.925,0.83
set label 'the joint' at screen 0.925,0.79
set palette defined (0 '#c6d4e6', 0.35 '#5b9bd5', 0.6 '#2f6db5', 0.8 '#d9822b', 1 '#b3261e')
times = '0 0.5 1 1.5 2'
do for [k=0:4] { set label 't = '.word(times, k + 1).' s' at 21*k+8,56 center font ',13' tc rgb ink }
plot for [k=0:4] file index k using ($1+21*k):2:3:4:5 with vectors nohead lw 3 lc palette, \
     for [k=0:4] '+' using (21*k):(0) every ::0::0 with points pt 7 ps 0.8 lc rgb ink
