wide = 1200; high = 340
load plots.'/style.gp'
unset key; unset border; unset tics; unset grid
set size ratio -1
set style fill solid 1
times = '0 1 2 3'
set multiplot layout 1,4 margins 0.005,0.995,0.01,0.9 spacing 0.005,0
do for [k=0:3] {
  file = data.'/boxes_'.k.'.dat'
  set autoscale  # else stats leaves out what is beyond the ranges
  stats file using 1 nooutput
  middle = (STATS_min + STATS_max)/2
  set xrange [middle - 4.4:middle + 4.4]; set yrange [-8.2:0.7]
  set title 't = '.word(times, k + 1).' s' font ',13'
  plot file using 1:2:3 with filledcurves closed fc rgb variable, \
       '+' using (0):(0) every ::0::0 with points pt 7 ps 0.7 lc rgb ink
}
unset multiplot
