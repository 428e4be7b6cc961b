# Common to all pictures. The caller sets: format (png or svg), picture (path without its ending), wide, high [px].
if (format eq 'png') {
  set terminal pngcairo size wide,high font 'DejaVu Sans,11' background rgb 'white'
} else {
  set terminal svg size wide,high font 'DejaVu Sans,11' background rgb 'white'
}
set output picture.'.'.format
blue = '#2f6db5'; orange = '#d9822b'; green = '#3c9a5f'; plum = '#a84a8c'; grey = '#8a8f98'; ink = '#30343a'
set border 3 lc rgb ink lw 1
set tics nomirror out scale 0.6 tc rgb ink
set grid lc rgb '#e3e6ea' lw 1 lt 1
set title offset 0,-0.3
set key samplen 1.5 spacing 1.15
