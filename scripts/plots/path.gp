wide = 1000; high = 760
load plots.'/style.gp'
file = data.'/path.dat'
unset key
set size ratio -1
set parametric; set trange [0:2*pi]
set xrange [-1.75:1.75]; set yrange [-1.7:0.7]; set xtics 0.5; set ytics 0.5
set multiplot layout 2,2 margins 0.07,0.985,0.08,0.9 spacing 0.07,0.11 \
    title 'Centre of the first box, seen along the normal of the plane that it starts in; circle: |x| = 1.5 m' offset 0,-0.3
do for [end in '10 20 40 100'] {
  set title '0 to '.end.' s'
  if (end > 30) { set xlabel 'x̃  [m]' } else { unset xlabel }
  if (end eq '10' || end eq '40') { set ylabel 'z  [m]' offset 1,0 } else { unset ylabel }
  plot 1.5*cos(t),1.5*sin(t) with lines lw 1 lc rgb '#c0c6cf', \
       file using ($1 <= end + 1e-9 ? $2 : NaN):3 with lines lw (end > 30 ? 0.7 : 1.4) lc rgb blue, \
       '+' using (0):(0) every ::0::0 with points pt 7 ps 0.5 lc rgb ink
}
unset multiplot
