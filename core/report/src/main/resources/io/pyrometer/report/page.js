(() => {
  'use strict';
  const read = id => JSON.parse(document.getElementById(id).textContent);
  const options = read('options');
  const paged = read('rows');
  const narrow = width => width < 560;

  /* A table that is too wide is set tighter, and becomes one card per row if it still is. */
  const fitTable = table => {
    const box = table.parentElement;
    table.classList.remove('tight', 'cards');
    if (!box.clientWidth) return;
    const wide = () => table.scrollWidth > box.clientWidth + 1 || box.scrollWidth > box.clientWidth + 1;
    if (wide()) table.classList.add('tight');
    if (wide() || (narrow(box.clientWidth) && table.tHead.rows[0].cells.length > 2)) {
      table.classList.replace('tight', 'cards') || table.classList.add('cards');
    }
  };
  const label = table => {
    const names = table.dataset.header.split('\t');
    [...table.tBodies[0].rows].forEach(row => [...row.cells].forEach((cell, c) => { cell.dataset.label = names[c]; }));
    fitTable(table);
  };

  document.addEventListener('click', async event => {
    const button = event.target.closest('.copy');
    if (!button) return;
    const code = button.parentElement.querySelector('code');
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch (e) {
      const range = document.createRange();
      range.selectNodeContents(code);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      document.execCommand('copy');
    }
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });

  /* Numbers as the tables show them. */
  const short = v => {
    if (v === 0) return '0';
    const size = Math.abs(v);
    const unit = size >= 1e12 ? [1e12, ' T'] : size >= 1e9 ? [1e9, ' G'] : size >= 1e6 ? [1e6, ' M']
      : size >= 1e4 ? [1e3, ' k'] : [1, ''];
    const digits = Number((v / unit[0]).toPrecision(3));
    const text = Math.abs(digits) >= 1e-4 ? digits.toLocaleString('en', {maximumFractionDigits: 8})
      : digits.toExponential(2);
    return text.replace('-', '−') + unit[1];
  };
  const time = us => us >= 1e6 ? short(us / 1e6) + ' s' : us >= 1e3 ? short(us / 1e3) + ' ms' : short(us) + ' µs';

  const escaped = text => {
    const span = document.createElement('span');
    span.textContent = text;
    return span.innerHTML.replace(/\n/g, '<br>');
  };

  /* What an option names and JSON cannot say; each gets the series it stands in. */
  const functions = {
    short: () => short,
    time: () => time,
    percent: () => v => short(v * 100) + ' %',
    quantile: () => v => {
      const p = 100 * (1 - 1 / v);
      return (v < 1.5 ? '0' : Number(p.toFixed(Math.max(0, Math.round(Math.log10(v)) - 2)))) + ' %';
    },
    quantileOf: () => p => functions.quantile()(p.value),
    tip: () => p => escaped(p.data && p.data.tip || p.name || ''),
    band: series => (params, api) => {
      const up = series.points.map(p => api.coord([p[0], p[2]]));
      const down = series.points.map(p => api.coord([p[0], p[1]])).reverse();
      return {type: 'polygon', shape: {points: up.concat(down)}, style: api.style({stroke: null})};
    },
    cell: () => (params, api) => rectangle(params, api.coord([api.value(0), api.value(3)]),
      api.coord([api.value(1), api.value(2)]), 0, api, 0.4),
    span: () => (params, api) => {
      const from = api.coord([api.value(0), api.value(2)]), to = api.coord([api.value(1), api.value(2)]);
      const half = api.size([0, 1])[1] * 0.36;
      return rectangle(params, [from[0], from[1] - half], [to[0], to[1] + half], 2, api);
    },
    cellTip: () => p => {
      const v = p.value;
      return escaped(`${short(v[0])}–${short(v[1])} s, ${time(v[2])}–${time(v[3])}\n`
        + `${v[5].toLocaleString('en')} ${v[5] === 1 ? 'call' : 'calls'}, ${short(v[4])} % of the interval`);
    },
    horizontalInterval: () => (params, api) => {
      const row = api.value(0), low = api.coord([api.value(1), row]), high = api.coord([api.value(2), row]);
      return interval(low, high, 0, 5, api);
    },
    verticalInterval: () => (params, api) => {
      const x = api.value(0), low = api.coord([x, api.value(1)]), high = api.coord([x, api.value(2)]);
      return interval(low, high, 4, 0, api);
    },
  };
  /* Neighbours overlap a little, or the paper would shine through between them. */
  const rectangle = (params, a, b, least, api, overlap = 0) => {
    const box = params.coordSys, width = Math.max(b[0] - a[0], least);
    const shape = echarts.graphic.clipRectByRect({x: a[0], y: a[1], width: width + overlap, height: b[1] - a[1] + overlap},
      {x: box.x, y: box.y, width: box.width, height: box.height});
    return shape && {type: 'rect', shape, style: {fill: api.visual('color')}};
  };
  const interval = (low, high, dx, dy, api) => {
    const line = (x1, y1, x2, y2) => ({
      type: 'line', shape: {x1, y1, x2, y2},
      style: {stroke: api.visual('color'), lineWidth: 2, fill: null},
    });
    return {type: 'group', children: [
      line(low[0], low[1], high[0], high[1]),
      line(low[0] - dx, low[1] - dy, low[0] + dx, low[1] + dy),
      line(high[0] - dx, high[1] - dy, high[0] + dx, high[1] + dy)]};
  };

  const named = new Set(['formatter', 'valueFormatter', 'renderItem']);
  const resolve = (node, css) => {
    if (Array.isArray(node)) return node.map(item => resolve(item, css));
    if (node && typeof node === 'object') {
      const out = {};
      for (const [key, value] of Object.entries(node)) {
        if (named.has(key) && typeof value === 'string' && value.startsWith('fn:')) {
          out[key] = functions[value.slice(3)](node);
        } else {
          out[key] = key === 'points' ? value : resolve(value, css);
        }
      }
      return out;
    }
    const variable = typeof node === 'string' && /^var\((--[a-z0-9-]+)\)$/.exec(node);
    return variable ? css.getPropertyValue(variable[1]).trim() : node;
  };

  const theme = css => {
    const v = name => css.getPropertyValue('--' + name).trim();
    const axis = {
      axisLine: {lineStyle: {color: v('line')}}, axisTick: {lineStyle: {color: v('line')}},
      axisLabel: {color: v('soft'), fontFamily: css.fontFamily}, nameTextStyle: {color: v('soft'), fontFamily: css.fontFamily},
      splitLine: {lineStyle: {color: v('grid')}},
    };
    return {
      color: [1, 2, 3, 4, 5, 6, 7, 8].map(i => v('s' + i)),
      backgroundColor: 'transparent',
      textStyle: {fontFamily: css.fontFamily, color: v('ink')},
      title: {textStyle: {color: v('ink')}, subtextStyle: {color: v('soft')}},
      legend: {textStyle: {color: v('ink'), fontFamily: css.fontFamily}, inactiveColor: v('soft'), pageTextStyle: {color: v('soft')},
        pageIconColor: v('soft'), pageIconInactiveColor: v('line')},
      tooltip: {backgroundColor: v('card'), borderColor: v('line'), textStyle: {color: v('ink'), fontSize: 13}},
      categoryAxis: axis, valueAxis: axis, logAxis: axis,
    };
  };

  /* Puts the small multiples of a chart in as many columns as fit. */
  const multiples = (option, width, node) => {
    const layout = option.multiples;
    delete option.multiples;
    const columns = Math.max(1, Math.min(option.grid.length, Math.floor(width / layout.width)));
    const rows = Math.ceil(option.grid.length / columns), gap = 14;
    const cell = (width - gap * (columns - 1)) / columns;
    node.style.height = rows * layout.height + 'px';
    option.grid.forEach((grid, i) => {
      const left = (i % columns) * (cell + gap), top = Math.floor(i / columns) * layout.height;
      Object.assign(grid, {left, top: top + 26, width: cell - (layout.right || 0), height: layout.height - 40, containLabel: true});
      Object.assign(option.title[i], {left, top, textStyle: Object.assign(
        {fontSize: 13, fontWeight: 600, width: cell, overflow: 'truncate'}, option.title[i].textStyle)});
    });
  };

  /* Makes rows high enough for the longest label, which is broken into lines. */
  const rowsHigh = (axis, width, node) => {
    node.dataset.least = node.dataset.least || parseInt(node.style.height, 10);
    const [letters, least, line] = narrow(width) ? [17, 40, 13] : [34, 0, 15];
    const lines = Math.max(1, ...axis.data.map(each => Math.ceil(String(each.value ?? each).length / letters)));
    const row = Math.max(least, lines > 1 ? 8 + line * lines : 0);
    node.style.height = Math.max(narrow(width) ? 0 : node.dataset.least, 70 + row * axis.data.length) + 'px';
  };

  /* Lines that share a chart differ in their dashes and symbols as well, not in colour alone. */
  const dashes = ['solid', [8, 4], [2, 3], [10, 3, 2, 3], [14, 5], [5, 2], [1, 4], [12, 3, 2, 3, 2, 3]];
  const symbols = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect', 'emptyTriangle', 'emptyDiamond'];
  const distinguish = option => {
    const lines = [].concat(option.series || []).filter(s => s.type === 'line' && s.name && !s.gridIndex && s.xAxisIndex === undefined);
    if (lines.length < 2) return;
    lines.forEach((line, i) => {
      line.lineStyle = Object.assign({type: dashes[i % dashes.length]}, line.lineStyle);
      if (line.showSymbol === false && (line.data || []).length < 400) {
        line.showSymbol = true;
        line.symbol = symbols[i % symbols.length];
        const step = Math.max(1, Math.floor((line.data || []).length / 6));
        line.symbolSize = (value, p) => p.dataIndex % step === 0 ? 7 : 0;
      }
    });
    [].concat(option.legend || []).forEach(legend => { delete legend.icon; legend.itemWidth = 34; delete legend.itemHeight; });
  };

  const fit = (option, width, node) => {
    if (option.multiples) multiples(option, width, node);
    const axes = [].concat(option.yAxis || []).filter(axis => axis.type === 'category');
    axes.forEach(axis => {
      axis.axisLabel = Object.assign({width: narrow(width) ? 122 : 260, lineHeight: 15, overflow: 'break'}, axis.axisLabel);
      if (narrow(width)) Object.assign(axis.axisLabel, {fontSize: 12, lineHeight: 13});
    });
    if (axes.length && !option.fixed) rowsHigh(axes[0], width, node);
    delete option.fixed;
    if (narrow(width)) {
      [].concat(option.xAxis || []).forEach(axis => { axis.splitNumber = Math.min(axis.splitNumber || 4, 4); });
    }
    option.aria = {enabled: true, decal: {show: false}};
    distinguish(option);
    option.animation = false;
    return option;
  };

  const charts = [];
  const draw = node => {
    const old = echarts.getInstanceByDom(node);
    if (old) old.dispose();
    const css = getComputedStyle(document.documentElement);
    const fonts = getComputedStyle(document.body);
    const palette = theme({getPropertyValue: name => css.getPropertyValue(name), fontFamily: fonts.fontFamily});
    const width = node.clientWidth;
    const option = fit(resolve(options[node.dataset.option], css), width, node);
    const label = node.getAttribute('aria-label');
    const chart = echarts.init(node, palette, {renderer: option.renderer || 'svg'});
    delete option.renderer;
    chart.setOption(option);
    node.setAttribute('aria-label', label);
    node.dataset.width = width;
  };
  const drawAll = () => charts.forEach(draw);
  document.querySelectorAll('.chart').forEach(node => charts.push(node));
  const inTurn = i => {
    if (i >= charts.length) { document.documentElement.dataset.drawn = charts.length; return; }
    draw(charts[i]);
    setTimeout(() => inTurn(i + 1), 0);
  };
  inTurn(0);

  let pending = 0;
  addEventListener('resize', () => {
    clearTimeout(pending);
    pending = setTimeout(() => charts.filter(n => String(n.clientWidth) !== n.dataset.width).forEach(draw), 120);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  addEventListener('beforeprint', () => { document.documentElement.classList.add('printing'); drawAll(); });
  addEventListener('afterprint', () => { document.documentElement.classList.remove('printing'); drawAll(); });

  /* Tables fit their window, also when it or what they stand in opens. */
  const tables = [...document.querySelectorAll('table[data-header]')];
  tables.forEach(label);
  addEventListener('resize', () => tables.forEach(fitTable));
  document.querySelectorAll('details').forEach(details => details.addEventListener('toggle', () =>
    details.querySelectorAll('table[data-header]').forEach(fitTable)));

  /* Long tables: pages and a search. */
  document.querySelectorAll('table[data-rows]').forEach(table => {
    const data = paged[table.dataset.rows];
    const pager = table.parentElement.nextElementSibling;
    const body = table.tBodies[0];
    let rows = data.rows, at = 0;
    const button = (text, step) => {
      const b = document.createElement('button');
      b.type = 'button'; b.textContent = text;
      b.addEventListener('click', () => { at += step * data.atOnce; show(); });
      return b;
    };
    const back = button('Back', -1), on = button('Next', 1);
    const search = document.createElement('input');
    search.type = 'search'; search.placeholder = 'Search rows'; search.setAttribute('aria-label', 'Search rows');
    search.addEventListener('input', () => {
      const wanted = search.value.toLowerCase();
      rows = data.rows.filter(row => row.some(cell => cell.toLowerCase().includes(wanted)));
      at = 0; show();
    });
    const where = document.createElement('span');
    where.setAttribute('aria-live', 'polite');
    const show = () => {
      const page = rows.slice(at, at + data.atOnce);
      body.replaceChildren(...page.map(row => {
        const tr = document.createElement('tr');
        row.forEach((cell, c) => {
          const td = tr.insertCell();
          td.textContent = cell;
          if (data.right[c]) td.className = 'n';
        });
        return tr;
      }));
      label(table);
      const n = x => x.toLocaleString('en');
      where.textContent = page.length ? `${n(at + 1)}–${n(at + page.length)} of ${n(rows.length)}` : 'No such row';
      back.disabled = at === 0;
      on.disabled = at + data.atOnce >= rows.length;
    };
    pager.replaceChildren(back, on, where, search);
    show();
  });

  /* The table of every figure as a file. */
  const quoted = cell => /[",\n\r]/.test(cell) ? '"' + cell.replaceAll('"', '""') + '"' : cell;
  document.querySelectorAll('figure').forEach(figure => {
    const button = figure.querySelector('.csv'), table = figure.querySelector('table');
    if (!button || !table) return;
    const name = figure.querySelector('figcaption').textContent;
    button.setAttribute('aria-label', 'Download as CSV: ' + name);
    button.addEventListener('click', () => {
      const rows = table.dataset.rows ? paged[table.dataset.rows].rows
        : [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.textContent));
      const text = [table.dataset.header.split('\t')].concat(rows).map(row => row.map(quoted).join(',')).join('\r\n') + '\r\n';
      const link = document.createElement('a');
      link.href = 'data:text/csv;charset=utf-8,' + encodeURIComponent(text);
      link.download = (name.toLowerCase().replace(/[^a-z0-9]+/g, '-').slice(0, 60).replace(/^-|-$/g, '') || 'figures') + '.csv';
      link.click();
      document.documentElement.dataset.downloaded = link.download + ' ' + text.length;
    });
  });

  /* Tables of some length that are not paged can be searched as well. */
  document.querySelectorAll('section > figure > .scroll > table:not([data-rows])').forEach(table => {
    if (table.tBodies[0].rows.length < 12) return;
    const search = document.createElement('input');
    search.type = 'search'; search.placeholder = 'Search rows'; search.setAttribute('aria-label', 'Search rows');
    search.addEventListener('input', () => {
      const wanted = search.value.toLowerCase();
      [...table.tBodies[0].rows].forEach(row => { row.hidden = !row.textContent.toLowerCase().includes(wanted); });
    });
    const bar = document.createElement('p');
    bar.className = 'pager';
    bar.append(search);
    table.parentElement.before(bar);
  });

  /* The navigation shows where the reader is. */
  const links = new Map([...document.querySelectorAll('nav a:not(.brand)')].map(a => [a.hash.slice(1), a]));
  const watch = new IntersectionObserver(entries => entries.forEach(entry => {
    if (!entry.isIntersecting) return;
    links.forEach(a => { a.classList.remove('here'); a.removeAttribute('aria-current'); });
    const link = links.get(entry.target.id);
    if (link) { link.classList.add('here'); link.setAttribute('aria-current', 'true'); }
  }), {rootMargin: '-15% 0px -75% 0px'});
  document.querySelectorAll('header[id], section[id]').forEach(part => watch.observe(part));
})();
