// What plots are drawn with, a script of its own: it is run when the first plot is drawn, behind the moving picture.
import { LineChart, ParallelChart, ScatterChart } from 'echarts/charts';
import {
  AriaComponent, DataZoomComponent, GridComponent, LegendComponent, MarkLineComponent, ParallelComponent, ToolboxComponent, TooltipComponent,
} from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

use([AriaComponent, DataZoomComponent, GridComponent, LegendComponent, LineChart, MarkLineComponent, ParallelChart,
  ParallelComponent, ScatterChart, SVGRenderer, ToolboxComponent, TooltipComponent]);
window.catenaCharts = { init };
