/* Charts of the page's data: a function for each kind makes the options of ECharts. */
const charts = (() => {
  'use strict';
  const NARROW = 560;
  const TOO_WIDE = 20;

  /* Figures as the tables show them. */
  const short = v => {
    if (v === 0) return '0';
    const size = Math.abs(v);
    const [unit, name] = size >= 1e12 ? [1e12, ' T'] : size >= 1e9 ? [1e9, ' G'] : size >= 1e6 ? [1e6, ' M']
      : size >= 1e4 ? [1e3, ' k'] : [1, ''];
    const digits = Number((v / unit).toPrecision(3));
    const text = Math.abs(digits) >= 1e-4 ? digits.toLocaleString('en', {maximumFractionDigits: 8}) : digits.toExponential(2);
    return text.replace('-', '−') + name;
  };
  const time = us => us >= 1e6 ? short(us / 1e6) + ' s' : us >= 1e3 ? short(us / 1e3) + ' ms' : short(us) + ' µs';
  const interval = (low, high) => low >= 0 && high > TOO_WIDE * low ? '[too few blocks]' : `[${short(low)}, ${short(high)}]`;
  const estimate = ([, value, , low, high], unit = '') =>
    short(value) + (low === undefined ? '' : ' ' + interval(low, high)) + (unit && ' ' + unit);
  const percentile = x => {
    const p = 100 * (1 - 1 / x);
    return (x < 1.5 ? '0' : Number(p.toFixed(Math.max(0, Math.round(Math.log10(x)) - 2)))) + ' %';
  };

  const lines = (...texts) => texts.filter(Boolean).join('\n');
  const html = text => {
    const span = document.createElement('span');
    span.textContent = text;
    return span.innerHTML.replace(/\n/g, '<br>');
  };
  const tooltip = {trigger: 'item', confine: true, formatter: p => html(p.data && p.data.tip || p.name || '')};
  const group = (items, key) => items.reduce((map, item) => map.set(key(item), [...map.get(key(item)) || [], item]), new Map());
  const labelsOf = series => [...new Set(series.flatMap(s => s.points.map(p => p[0])))];

  /* Axes. */
  const valueAxis = (axis, more) => ({
    type: axis.log ? 'log' : 'value', name: axis.title, nameLocation: 'middle', nameGap: 30,
    axisLabel: {formatter: short, hideOverlap: true, alignMaxLabel: 'right'}, ...more,
  });
  /* Long labels of rows are broken into lines. */
  const rowAxis = (data, view, more) => ({
    type: 'category', inverse: true, data, axisTick: {show: false},
    axisLabel: {color: view.colour('ink'), fontSize: view.narrow ? 12 : 13, lineHeight: view.narrow ? 13 : 15, interval: 0,
      width: view.labelWidth, overflow: 'break'}, ...more,
  });
  const rightAxis = (data, view, width) => {
    const axis = rowAxis(data, view, {position: 'right', axisLine: {show: false}});
    axis.axisLabel = {...axis.axisLabel, width};
    return axis;
  };
  const rowHeight = (labels, view, least) => {
    const letters = view.labelWidth / 7;
    const most = Math.max(1, ...labels.map(label => Math.ceil(label.length / letters)));
    return Math.max(view.small ? least - 8 : least, most > 1 ? 8 + 15 * most : 0);
  };

  /* Marks that ECharts has no series for. */
  const whisker = (low, high, dx, dy, api) => {
    const line = (x1, y1, x2, y2) => ({type: 'line', shape: {x1, y1, x2, y2}, style: {stroke: api.visual('color'), lineWidth: 2}});
    return {type: 'group', children: [
      line(low[0], low[1], high[0], high[1]),
      line(low[0] - dx, low[1] - dy, low[0] + dx, low[1] + dy),
      line(high[0] - dx, high[1] - dy, high[0] + dx, high[1] + dy)]};
  };
  const withInterval = points => points.map((p, i) => [i, p[3], p[4]]).filter(p => p[1] !== undefined);
  const rowIntervals = (points, color) => ({
    type: 'custom', data: withInterval(points), encode: {x: [1, 2], y: 0}, silent: true, z: 3, itemStyle: {color},
    renderItem: (params, api) => {
      const row = api.value(0);
      return whisker(api.coord([api.value(1), row]), api.coord([api.value(2), row]), 0, 5, api);
    },
  });
  const columnIntervals = (points, color, more) => ({
    type: 'custom', data: withInterval(points), encode: {x: 0, y: [1, 2]}, silent: true, z: 2, itemStyle: {color}, ...more,
    renderItem: (params, api) => {
      const x = api.value(0);
      return whisker(api.coord([x, api.value(1)]), api.coord([x, api.value(2)]), 4, 0, api);
    },
  });
  const band = (points, color) => {
    const bounded = points.filter(p => p[3] !== undefined);
    return {
      type: 'custom', data: bounded.slice(0, 1).map(p => [p[0], p[1]]), silent: true, z: 1, clip: true,
      itemStyle: {color, opacity: 0.16},
      renderItem: (params, api) => {
        const up = bounded.map(p => api.coord([p[0], p[4]])), down = bounded.map(p => api.coord([p[0], p[3]])).reverse();
        return {type: 'polygon', shape: {points: up.concat(down)}, style: api.style({stroke: null})};
      },
    };
  };
  /* Neighbours overlap a little, or the paper would shine through between them. */
  const rectangle = (params, a, b, least, api, overlap = 0) => {
    const {x, y, width, height} = params.coordSys;
    const shape = echarts.graphic.clipRectByRect(
      {x: a[0], y: a[1], width: Math.max(b[0] - a[0], least) + overlap, height: b[1] - a[1] + overlap}, {x, y, width, height});
    return shape && {type: 'rect', shape, style: {fill: api.visual('color')}};
  };

  /* Estimates below each other, their values at the right; a note makes a mark hollow. */
  const rows = (chart, view, mark) => {
    const points = chart.series[0].points, labels = points.map(p => p[0]), blue = view.colour('s1');
    return {
      height: 64 + rowHeight(labels, view, 34) * points.length,
      grid: {left: 4, right: 8, top: 8, bottom: 34, containLabel: true},
      xAxis: valueAxis(chart.x, chart.x.log ? {} : {min: 0}),
      yAxis: [rowAxis(labels, view), rightAxis(points.map(p => short(p[1])), view, 60)],
      series: [{...mark, data: points.map((p, i) => ({
        value: [p[1], i], tip: lines(p[0], estimate(p, chart.x.title), p[2]),
        itemStyle: p[2] ? {color: view.colour('card'), borderColor: blue} : undefined,
      }))}, rowIntervals(points, blue)],
    };
  };
  const points = (chart, view) => rows(chart, view, {
    type: 'scatter', symbolSize: 8, z: 4, itemStyle: {color: view.colour('s1'), borderColor: view.colour('s1'), borderWidth: 2}});
  const bars = (chart, view) => rows(chart, view, {
    type: 'bar', barMaxWidth: 16, z: 2, itemStyle: {color: view.colour('s1'), opacity: 0.45, borderRadius: [0, 3, 3, 0]}});

  /* Legends wrap; this is the room that theirs takes. */
  const legendHeight = (names, view, icon = 14) => {
    let line = 1, used = 0;
    names.forEach(name => {
      const width = 24 + icon + 7.2 * name.length;
      if (used && used + width > view.width) { line++; used = 0; }
      used += width;
    });
    return 14 + 22 * line;
  };

  /* A panel for each group; all panels have one scale. Beside a bar stand its total and what differs. */
  const stack = (chart, view) => {
    const share = view.mode === '%', panels = [...group(chart.series, s => s.panel)];
    const parts = [...new Set(chart.series.map(s => s.name).filter(Boolean))];
    const totals = panels.map(([, all]) => all.find(s => !s.name).points);
    const most = share ? 100 : Math.max(...totals.flat().map(p => p[1]));
    const row = rowHeight(totals.flat().map(p => p[0]), view, 28), legend = legendHeight(parts, view);
    const titled = panels.length > 1 ? 26 : 0;
    const differs = !view.narrow && totals.flat().some(p => p[2]);
    const right = differs ? view.width > 1000 ? 430 : 330 : 70, left = 14 + Math.min(view.labelWidth, Math.max(...totals.flat().map(p => 7.5 * p[0].length)));
    const tops = totals.map((_, i) => legend + totals.slice(0, i).reduce((sum, t) => sum + titled + row * t.length + 10, 0));
    const colour = part => view.colour('s' + (part === 'other' ? 8 : 1 + parts.indexOf(part) % 7));
    return {
      height: tops[tops.length - 1] + titled + row * totals[totals.length - 1].length + 48,
      legend: {top: 0, left: 0, itemWidth: 14, itemGap: 12, data: parts},
      title: titled ? panels.map(([name], i) => ({text: name, left: 0, top: tops[i], textStyle: {fontSize: 13, fontWeight: 600}})) : [],
      grid: totals.map((t, i) => ({left, right, top: tops[i] + titled, height: row * t.length})),
      xAxis: totals.map((t, i) => valueAxis({title: i < totals.length - 1 ? '' : share ? '% of the total' : chart.x.title}, {
        gridIndex: i, min: 0, max: most, nameGap: 26,
        axisLabel: {show: i === totals.length - 1, formatter: short, hideOverlap: true, showMaxLabel: share}})),
      yAxis: totals.flatMap((t, i) => [
        rowAxis(t.map(p => p[0]), view, {gridIndex: i}),
        Object.assign(rightAxis(t.map(p => `{total|${time(p[1])}}` + (differs && p[2] ? `{differs|${p[2]}}` : '')), view, right - 8), {gridIndex: i}),
      ]).map((axis, i) => i % 2 ? {...axis, axisLabel: {...axis.axisLabel, overflow: 'truncate', rich: {
        total: {color: view.colour('ink'), fontSize: 13, width: 66}, differs: {color: view.colour('soft'), fontSize: 12}}}} : axis),
      series: panels.flatMap(([, all], i) => all.filter(s => s.name).map(s => ({
        type: 'bar', stack: 'parts' + i, barMaxWidth: 18, name: s.name, xAxisIndex: i, yAxisIndex: 2 * i,
        itemStyle: {color: colour(s.name)},
        data: s.points.map((p, b) => ({
          value: share ? 100 * p[1] / (totals[i][b][1] || 1) : p[1],
          tip: lines(p[0] + (all[0].panel && ', ' + all[0].panel), `${s.name}: ${time(p[1])}, ${short(100 * p[1] / (totals[i][b][1] || 1))} %`, totals[i][b][2]),
        })),
      }))),
    };
  };

  /* Effects by size with limits of significance. */
  const effects = (chart, view) => {
    const labels = labelsOf(chart.series), colours = [view.colour('s2'), view.colour('s8')];
    const farthest = Math.max(...chart.series.flatMap(s => s.points.map(p => p[1])), ...chart.marks.map(m => m.from));
    const limits = {silent: true, symbol: 'none', lineStyle: {color: view.colour('accent'), type: 'dashed'},
      label: {position: 'start', color: view.colour('accent'), formatter: '{b}'},
      data: chart.marks.map((m, i) => ({name: m.text, xAxis: m.from, label: {align: i ? 'left' : 'right'}}))};
    return {
      height: 100 + rowHeight(labels, view, 28) * labels.length,
      legend: {top: 0, left: 0, itemWidth: 14},
      grid: {left: 4, right: 16, top: 54, bottom: 34, containLabel: true},
      xAxis: valueAxis(chart.x, {min: 0, max: Number((1.06 * farthest).toPrecision(3)),
        axisLabel: {formatter: short, hideOverlap: true, showMaxLabel: false}}),
      yAxis: rowAxis(labels, view),
      series: chart.series.map((s, i) => ({
        type: 'bar', stack: 'effects', name: s.name, barMaxWidth: 16, itemStyle: {color: colours[i], borderRadius: [0, 3, 3, 0]},
        data: s.points.map(p => ({value: p[1], tip: lines(p[0], p[2])})), markLine: i ? undefined : limits,
      })),
    };
  };

  /* Lines that share a chart differ in their dashes and symbols as well, not in colour alone. */
  const dashes = ['solid', [8, 4], [2, 3], [10, 3, 2, 3], [14, 5], [5, 2], [1, 4], [12, 3, 2, 3, 2, 3]];
  const symbols = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle', 'emptyDiamond'];
  const percentiles = (chart, view) => {
    const top = legendHeight(chart.series.map(s => s.name), view, 34) + 12;
    return {
      height: 330 + top,
      grid: {left: 4, right: 30, top, bottom: 34, containLabel: true},
      legend: {top: 0, left: 0, itemWidth: 34},
      tooltip: {trigger: 'axis', confine: true, valueFormatter: time,
        axisPointer: {type: 'line', label: {formatter: p => percentile(p.value)}}},
      xAxis: valueAxis(chart.x, {min: 1, axisLabel: {formatter: percentile}}),
      yAxis: {type: 'log', axisLabel: {formatter: time}},
      series: chart.series.map((s, i) => {
        const step = Math.max(1, Math.floor(s.points.length / 6));
        return {type: 'line', name: s.name, data: s.points, lineStyle: {width: 2, type: dashes[i % dashes.length]},
          symbol: symbols[i % symbols.length], symbolSize: (value, p) => p.dataIndex % step === 0 ? 7 : 0};
      }),
    };
  };

  /* Small charts in as many columns as fit. */
  const panels = (chart, view, {width, height, right}, panel) => {
    const all = [...group(chart.series, s => s.panel)], gap = 14;
    const columns = Math.max(1, Math.min(all.length, Math.floor(view.width / width)));
    const cell = (view.width - gap * (columns - 1)) / columns;
    const parts = all.map(([name, series], i) => {
      const left = (i % columns) * (cell + gap), top = Math.floor(i / columns) * height;
      return {
        grid: {left, top: top + 26, width: cell - right, height: height - 40, containLabel: true},
        title: {text: name, left, top, textStyle: {fontSize: 12, fontWeight: 600, width: cell, overflow: 'truncate'}},
        ...panel(name, series, i),
      };
    });
    return {
      height: Math.ceil(all.length / columns) * height,
      title: parts.map(p => p.title), grid: parts.map(p => p.grid), xAxis: parts.map(p => p.xAxis), yAxis: parts.map(p => p.yAxis),
      series: parts.flatMap(p => p.series),
    };
  };

  /* Each from 0 to its own maximum, its warm-up shaded. */
  const timeline = (chart, view) => ({
    ...panels(chart, view, {width: 270, height: 150, right: 0}, (name, series, i) => {
      const warm = chart.marks.find(m => m.panel === name);
      return {
        xAxis: {type: 'value', gridIndex: i, min: 0, max: 'dataMax', splitLine: {show: false},
          axisLabel: {hideOverlap: true, formatter: '{value} s', showMaxLabel: false}},
        yAxis: {type: 'value', gridIndex: i, min: 0, splitNumber: 2, axisLabel: {formatter: short, hideOverlap: true}},
        series: series.map(s => ({
          type: 'line', name: s.name, xAxisIndex: i, yAxisIndex: i, data: s.points, showSymbol: false,
          lineStyle: {width: 1.5, color: view.colour('s1')}, itemStyle: {color: view.colour('s1')},
          markArea: warm && {silent: true, itemStyle: {color: view.colour('s5'), opacity: 0.16}, data: [[{xAxis: warm.from}, {xAxis: warm.to}]]},
          markLine: warm && {silent: true, symbol: 'none', label: {show: false},
            lineStyle: {color: view.colour('accent'), type: 'solid', width: 1}, data: [{xAxis: warm.to}]},
        })),
      };
    }),
    tooltip: {trigger: 'axis', confine: true, axisPointer: {type: 'line'}, valueFormatter: v => short(v) + ' ' + chart.y.title},
  });

  /* One scale for all, so that a steep line is a large effect everywhere. */
  const means = (chart, view) => {
    const ends = chart.series.flatMap(s => s.points.flatMap(p => [p[3] ?? p[1], p[4] ?? p[1]]));
    const low = Math.min(...ends), high = Math.max(...ends), room = 0.05 * (high - low);
    const named = chart.series.some(s => s.name);
    return panels(chart, view, {width: 230, height: 190, right: named ? 40 : 0}, (name, series, i) => ({
      xAxis: {type: 'category', gridIndex: i, data: labelsOf(series), axisTick: {show: false}, axisLabel: {color: view.colour('ink')}},
      yAxis: {type: 'value', gridIndex: i, min: low - room, max: high + room, splitNumber: 3,
        axisLabel: {formatter: short, showMinLabel: false, showMaxLabel: false}},
      series: series.flatMap((s, colour) => {
        const color = view.colour('s' + (1 + colour % 8)), at = {xAxisIndex: i, yAxisIndex: i};
        return [{
          type: 'line', name: s.name, ...at, symbol: symbols[colour % 4], symbolSize: 8, z: 3, itemStyle: {color},
          lineStyle: {width: 2, type: dashes[colour % dashes.length]}, labelLayout: {moveOverlap: 'shiftY'},
          endLabel: s.name ? {show: true, formatter: '{a}', color, fontSize: 11} : undefined,
          data: s.points.map((p, x) => ({value: [x, p[1]], tip: lines(name, s.name && `${s.name}, ${p[0]}` || p[0], estimate(p))})),
        }, columnIntervals(s.points, color, at)];
      }),
    }));
  };

  const history = (chart, view) => {
    const [series] = chart.series, color = view.colour('s1');
    return {
      height: 340,
      grid: {left: 8, right: 24, top: 28, bottom: 10, containLabel: true},
      xAxis: {type: 'category', data: series.points.map(p => p[0]), axisLabel: {hideOverlap: true}},
      yAxis: {type: 'value', axisLabel: {formatter: short}},
      series: [{type: 'line', symbol: 'circle', symbolSize: 7, z: 3, lineStyle: {width: 1.5, color}, itemStyle: {color},
        data: series.points.map((p, i) => ({value: [i, p[1]], tip: lines(p[0], estimate(p, chart.y.title))})),
      }, columnIntervals(series.points, color)],
    };
  };

  const fit = (chart, view) => {
    const [measured, fitted, beyond] = chart.series;
    const curve = (s, color, type) => ({type: 'line', name: s.name, data: s.points.map(p => [p[0], p[1]]), symbol: 'none', silent: true, z: 2,
      smooth: 0.4, lineStyle: {width: 2, color, type}, itemStyle: {color}});
    return {
      height: view.small ? 340 : 420,
      grid: {left: 8, right: 24, top: 46, bottom: 34, containLabel: true},
      legend: {top: 0, left: 0, itemHeight: 8, data: chart.series.filter(s => s.points.length)
        .map(s => ({name: s.name, icon: s === measured ? 'circle' : 'roundRect'}))},
      xAxis: valueAxis(chart.x, {min: 0, max: 'dataMax', minInterval: 1, splitLine: {show: false}, axisLabel: {showMaxLabel: false}}),
      yAxis: {type: 'value', min: 0, axisLabel: {formatter: short}},
      series: [band(fitted.points, view.colour('band')), band(beyond.points, view.colour('s8')),
        curve(fitted, view.colour('s1'), 'solid'), curve(beyond, view.colour('s8'), 'dashed'),
        {type: 'scatter', name: measured.name, symbolSize: 8, z: 3, itemStyle: {color: view.colour('s2')},
          data: measured.points.map(p => ({value: [p[0], p[1]], tip: p[2]}))}],
    };
  };

  /* The map and its lanes have one time axis, so their left edges must agree: labels have a fixed width. */
  const heat = (chart, view) => {
    const [calls, ...lanes] = chart.series, left = 112, top = 44, map = 260, lane = 22, gap = 12;
    const span = {min: 0, max: Math.max(...calls.points.map(p => p[1]))};
    const seconds = more => ({type: 'value', ...span, name: chart.x.title, nameLocation: 'middle', nameGap: 26,
      axisLabel: {formatter: '{value} s', hideOverlap: true, showMaxLabel: false}, ...more});
    const hidden = seconds({name: '', axisLabel: {show: false}});
    const pieces = [{lt: 0.1, label: '<0.1 %'}, {gte: 0.1, lt: 1, label: '0.1–1 %'}, {gte: 1, lt: 10, label: '1–10 %'}, {gte: 10, label: '≥10 %'}];
    const latency = {type: 'log', min: Math.min(...calls.points.map(p => p[2])), max: Math.max(...calls.points.map(p => p[3])),
      axisLabel: {formatter: time, hideOverlap: true}};
    const cells = {
      type: 'custom', name: calls.name, clip: true, encode: {x: [0, 1], y: [2, 3]}, data: calls.points,
      renderItem: (params, api) => rectangle(params, api.coord([api.value(0), api.value(3)]), api.coord([api.value(1), api.value(2)]), 0, api, 0.4),
      tooltip: {formatter: ({value: v}) => html(`${short(v[0])}–${short(v[1])} s, ${time(v[2])}–${time(v[3])}\n`
        + `${v[5].toLocaleString('en')} ${v[5] === 1 ? 'call' : 'calls'}, ${short(v[4])} % of the interval`)},
    };
    const events = {
      type: 'custom', name: 'events', clip: true, xAxisIndex: 1, yAxisIndex: 1, encode: {x: [0, 1], y: 2}, itemStyle: {color: view.colour('s2')},
      data: chart.marks.map(m => ({value: [m.from, m.to, lanes.findIndex(s => s.name === m.panel)], tip: lines(m.panel, `${m.from.toFixed(3)} s: ${m.text}`)})),
      renderItem: (params, api) => {
        const from = api.coord([api.value(0), api.value(2)]), to = api.coord([api.value(1), api.value(2)]), half = api.size([0, 1])[1] * 0.36;
        return rectangle(params, [from[0], from[1] - half], [to[0], to[1] + half], 2, api);
      },
    };
    const names = {type: 'category', gridIndex: 1, inverse: true, data: lanes.map(s => s.name), axisTick: {show: false}, splitLine: {show: true},
      axisLabel: {color: view.colour('ink'), fontSize: 11, width: left - 6, overflow: 'truncate', interval: 0}};
    const grid = {left, right: 12, top, height: map};
    return {
      height: top + map + (lanes.length && gap + lane * lanes.length) + 46,
      visualMap: {type: 'piecewise', dimension: 4, seriesIndex: 0, orient: 'horizontal', left: 0, top: 0, itemWidth: 14, itemGap: 7,
        textStyle: {color: view.colour('ink')}, pieces: pieces.map((piece, i) => ({...piece, color: view.colour('h' + (i + 1))}))},
      grid: lanes.length ? [grid, {left, right: 12, top: top + map + gap, height: lane * lanes.length}] : [grid],
      xAxis: lanes.length ? [hidden, seconds({gridIndex: 1, splitLine: {show: false}})] : [seconds()],
      yAxis: lanes.length ? [latency, names] : [latency],
      series: lanes.length ? [cells, events] : [cells],
    };
  };

  const kinds = {POINTS: points, BARS: bars, STACK: stack, EFFECTS: effects, PERCENTILES: percentiles, TIME: timeline, MEANS: means,
    HISTORY: history, FIT: fit, HEAT: heat};

  const theme = (colour, fontFamily) => {
    const line = {lineStyle: {color: colour('line')}};
    const axis = {axisLine: line, axisTick: line, axisLabel: {color: colour('soft'), fontFamily},
      nameTextStyle: {color: colour('soft'), fontFamily}, splitLine: {lineStyle: {color: colour('grid')}}};
    return {
      color: [1, 2, 3, 4, 5, 6, 7, 8].map(i => colour('s' + i)), backgroundColor: 'transparent',
      textStyle: {fontFamily, color: colour('ink')}, title: {textStyle: {color: colour('ink')}},
      legend: {textStyle: {color: colour('ink'), fontFamily}, inactiveColor: colour('soft'), pageTextStyle: {color: colour('soft')},
        pageIconColor: colour('soft'), pageIconInactiveColor: colour('line')},
      tooltip: {backgroundColor: colour('card'), borderColor: colour('line'), textStyle: {color: colour('ink'), fontSize: 13}},
      categoryAxis: axis, valueAxis: axis, logAxis: axis,
    };
  };

  /* Draws a chart into a node, in place of what was drawn before; small: for the first screen. */
  const draw = (node, chart, {small, mode} = {}) => {
    const old = echarts.getInstanceByDom(node), label = node.getAttribute('aria-label');
    if (old) old.dispose();
    const css = getComputedStyle(document.documentElement), width = node.clientWidth, slim = width < NARROW;
    const view = {width, narrow: slim, small, mode, labelWidth: slim ? 122 : small ? 190 : 260,
      colour: name => css.getPropertyValue('--' + name).trim()};
    const {height, ...option} = kinds[chart.kind](chart, view);
    if (slim) [].concat(option.xAxis).forEach(axis => { axis.splitNumber = Math.min(axis.splitNumber || 4, 4); });
    node.style.height = height + 'px';
    echarts.init(node, theme(view.colour, getComputedStyle(document.body).fontFamily), {renderer: 'svg'})
      .setOption({tooltip, aria: {enabled: true, decal: {show: false}}, animation: false, ...option});
    node.setAttribute('aria-label', label);
    node.dataset.width = width;
  };

  return {draw, estimate, modes: chart => chart.kind === 'STACK' ? [chart.x.title, '%'] : []};
})();
