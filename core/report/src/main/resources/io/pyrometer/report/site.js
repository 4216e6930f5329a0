(async () => {
  'use strict';
  const ABSENT = '–';
  const bytes = Uint8Array.from(atob(document.getElementById('data').textContent), c => c.charCodeAt(0));
  const {results, table, columns: cells} = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
  /* Cells are stored by column: of figures texts, of others places in the table, -1 for none. */
  let read = 0;
  const rowAt = at => Object.fromEntries(Object.entries(cells).filter(([, column]) => column[at] !== -1)
    .map(([key, column]) => [key, typeof column[at] === 'string' ? column[at].split('\t') : table[column[at]]]));
  results.forEach(result => { result.rows = Array.from({length: result.rows}, () => rowAt(read++)); });
  const UNITS = {k: 1e3, M: 1e6, G: 1e9, T: 1e12, ms: 1e3, s: 1e6};
  const number = text => parseFloat(text) * (UNITS[text.replace('×', '').split(' ')[1]] || 1);
  /* Texts of strangers become text nodes and nothing else. */
  const el = (tag, properties, ...children) => {
    const node = Object.assign(document.createElement(tag), properties);
    node.append(...children.filter(child => child !== null && child !== ''));
    return node;
  };
  const link = (href, text) => el('a', {href}, text);
  const by = id => document.getElementById(id);

  /* A result without treatments has one row that only filters see. */
  const rows = results.flatMap(result => (result.rows.length ? result.rows
    : [{label: '', job: '', part: '', products: result.products, kept: [], bare: true}]).map(row => Object.assign(row, {result})));
  rows.forEach(row => {
    row.marks = (row.repeated ? ['repeated'] : []).concat(row.marks || [], row.result.tuned ? ['tuned'] : []);
    row.text = [row.label, row.job, row.part, row.result.id, row.result.experiment, row.result.question, row.result.machine,
      row.result.date, ...row.products, ...row.kept || [], ...row.refuted || [], ...row.marks].join('\n').toLowerCase();
  });

  /* Columns: title, what to sort by, cell, and whether the largest comes first. */
  const lines = (texts, className) => texts.map(text => el('small', {className}, text));
  const together = text => text.replace(/(\d) (?=[kMGTµms])/g, '$1\u00a0');
  const figure = (title, key, largestFirst) => ({title, number: true, largestFirst, value: row => row[key] ? number(row[key][0]) : null,
    cell: row => row[key] ? [together(row[key][0]), ...lines([together(row[key][1])])] : [ABSENT]});
  const words = (title, value, cell) => ({title, value, cell: cell || (row => [value(row) || ABSENT])});
  const looks = mark => 'mark' + (mark === 'repeated' ? ' good' : /refuted|missed/.test(mark) ? ' bad' : '');
  const everyColumn = [
    words('Treatment', row => row.label, row => [row.label, el('small', {}, link('#r-' + row.result.id, row.result.experiment))]),
    words('Product', row => row.products.join(', ')),
    words('Job', row => [row.job, row.part].filter(Boolean).join(' · ')),
    figure('Records/s', 'rate', true),
    figure('Ratio', 'ratio', true),
    figure('CPU s per million', 'cpu'),
    figure('p99', 'p99'),
    words('Guarantees', row => (row.kept || []).join(', '), row => [(row.kept || []).join(', ') || ABSENT,
      ...lines((row.refuted || []).map(text => 'refuted, ' + text), 'bad'), ...lines((row.probes || []).map(text => 'probe ' + text))]),
    words('Marks', row => row.marks.join(', '), row => row.marks.length
      ? row.marks.map(mark => el('span', {className: looks(mark)}, mark)) : [ABSENT]),
    /* That of a text is of its copy here, and says nothing of the figures. */
    Object.assign(words('Date', row => row.result.source ? '' : row.result.date), {largestFirst: true})];

  /* Filters, and the order that every machine's table has. */
  let sorted = null, largestFirst = false;
  const bar = document.querySelector('.filters'), status = document.querySelector('[role=status]');
  const search = el('input', {type: 'search'});
  bar.append(el('label', {}, 'Search', search));
  const choice = (title, options, anything) => {
    const select = el('select', {}, el('option', {value: ''}, anything), ...options.map(([value, text]) => el('option', {value}, text)));
    bar.append(el('label', {}, title, select));
    return select;
  };
  const filters = [
    ['Product', row => row.products], ['Machine', row => [row.result.machine]], ['Job', row => [row.job].filter(Boolean)],
    ['Guarantee', row => row.kept || []], ['Experiment', row => [row.result.experiment]],
  ].map(([title, values]) => {
    const all = [...new Set(rows.flatMap(values))].sort((a, b) => a.localeCompare(b, 'en'));
    return {values, select: choice(title, all.map(value => [value, value]), 'All')};
  });
  const order = choice('Order', everyColumn.map((column, c) => [c, column.title
    + (column.number ? column.largestFirst ? ', highest first' : ', lowest first' : '')]), 'By result');
  const sortBy = (column, down) => { sorted = column; largestFirst = down; order.value = column ? everyColumn.indexOf(column) : ''; draw(); };
  const compare = (a, b) => {
    const x = sorted.value(a), y = sorted.value(b);
    if (x === null || y === null || x === '' || y === '') return (x === null || x === '') - (y === null || y === '');
    return (sorted.number ? x - y : x.localeCompare(y, 'en', {numeric: true})) * (largestFirst ? -1 : 1);
  };

  /* One table for each machine; figures of texts come last. */
  const machines = [...new Set(results.map(result => result.machine))].sort((a, b) =>
    results.some(r => r.machine === a && r.source) - results.some(r => r.machine === b && r.source) || a.localeCompare(b, 'en'));
  const atOnce = Math.max(10, Math.min(50, Math.floor(500 / machines.length)));
  const tables = machines.map((machine, m) => {
    const all = rows.filter(row => row.result.machine === machine && !row.bare), ofText = all.some(row => row.result.source);
    const columns = everyColumn.filter(column => !ofText || all.some(row => column.value(row)));
    const title = column => ofText && column.title === 'Records/s' ? 'Throughput' : column.title;
    const heads = columns.map(column => {
      const button = el('button', {type: 'button'}, title(column));
      button.addEventListener('click', () => sortBy(column, column === sorted ? !largestFirst : !!column.largestFirst));
      return el('th', {scope: 'col', className: column.number ? 'n' : ''}, button);
    });
    const table = el('table', {}, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}));
    table.dataset.header = columns.map(title).join('\t');
    table.setAttribute('aria-labelledby', 'm-' + m);
    const more = el('button', {type: 'button'}, 'Show more');
    const where = el('span', {});
    const pager = el('p', {className: 'pager'}, where, more);
    const box = el('div', {className: 'scroll', tabIndex: 0}, table);
    box.setAttribute('role', 'region');
    box.setAttribute('aria-labelledby', 'm-' + m);
    const section = el('section', {}, el('h3', {id: 'm-' + m}, machine), box, pager);
    by('machines').append(section);
    let shown = atOnce, mine = [];
    const fill = () => {
      heads.forEach((head, c) => head.setAttribute('aria-sort',
        columns[c] !== sorted ? 'none' : largestFirst ? 'descending' : 'ascending'));
      table.tBodies[0].replaceChildren(...mine.slice(0, shown).map(row => el('tr', {}, ...columns.map((column, c) => {
        const content = column.cell(row);
        const cell = el(c ? 'td' : 'th', {className: (column.number ? 'n' : '') + (content[0] === ABSENT && content.length === 1 ? ' none' : '')},
          el('div', {}, ...content));
        if (!c) cell.scope = 'row';
        return cell;
      }))));
      pyrometer.label(table);
      pager.hidden = mine.length <= shown;
      where.textContent = `The first ${shown} of ${mine.length.toLocaleString('en')}`;
    };
    more.addEventListener('click', () => { shown += atOnce; fill(); });
    return {table, draw: matching => {
      mine = matching.filter(row => row.result.machine === machine && !row.bare);
      if (sorted) mine.sort(compare);
      section.hidden = !mine.length;
      shown = atOnce;
      fill();
    }};
  });

  /* p99 against offered rate, a line for each treatment that has several rates. */
  const svg = (tag, attributes, text) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
    Object.entries(attributes).forEach(attribute => node.setAttribute(...attribute));
    node.append(...text ? [text] : []);
    return node;
  };
  const chart = result => {
    const series = {};
    result.rows.filter(row => row.offered && row.p99).forEach(row => {
      const name = row.label.split(' · ').filter(part => !part.startsWith('rate ')).join(' · ') || row.products.join(', ');
      (series[name] = series[name] || []).push([row.offered, number(row.p99[0]), together(row.p99[0])]);
    });
    const all = Object.entries(series).filter(([, points]) => points.length > 1).slice(0, 8);
    if (!all.length) return [];
    const points = all.flatMap(([, of]) => of).sort((a, b) => a[1] - b[1]), rates = points.map(p => p[0]);
    const most = Math.max(...rates), low = Math.log(points[0][1]), high = Math.log(points.at(-1)[1]);
    const x = rate => 70 + 400 * rate / most, y = p99 => 200 - 180 * (high > low ? (Math.log(p99) - low) / (high - low) : .5);
    const drawing = svg('svg', {viewBox: '0 0 760 240', role: 'img', 'aria-label': 'p99 against offered rate; the treatments have the figures'});
    drawing.append(svg('path', {d: 'M70 20V200H470'}),
      ...[points[0], points.at(-1)].map(p => svg('text', {x: 62, y: y(p[1]) + 4, class: 'end'}, p[2])),
      ...[Math.min(...rates), most].map(rate => svg('text', {x: x(rate), y: 220, class: 'mid'}, rate.toLocaleString('en'))),
      svg('text', {x: 270, y: 236, class: 'mid'}, 'calls/s offered; p99 on a logarithmic scale'));
    all.forEach(([name, of], i) => {
      of.sort((a, b) => a[0] - b[0]);
      drawing.append(svg('polyline', {class: 's' + (i + 1), points: of.map(p => x(p[0]) + ',' + y(p[1])).join(' ')}),
        svg('rect', {class: 's' + (i + 1), x: 490, y: 16 + 22 * i, width: 12, height: 12}), svg('text', {x: 508, y: 26 + 22 * i}, name));
    });
    return [...part('p99 against offered rate', el('div', {className: 'chart'}, drawing))];
  };

  /* What belongs to one result is made when it is opened. */
  const facts = pairs => el('dl', {className: 'facts'}, ...pairs.filter(([, value]) => value && value.length !== 0).map(([name, value]) =>
    el('div', {}, el('dt', {}, name), el('dd', {}, ...[].concat(value)))));
  const list = texts => el('ul', {}, ...texts.map(text => el('li', {}, text)));
  const part = (title, content) => [el('h4', {}, title), content];
  const about = result => {
    const findings = result.findings || [], own = Object.entries(result.configuration || {});
    const source = result.source && (/^https?:\/\//.test(result.source) ? link(result.source, result.source) : result.source);
    const command = result.command && el('div', {className: 'command'}, el('pre', {tabIndex: 0}, el('code', {}, result.command)),
      el('button', {type: 'button', className: 'copy'}, 'Copy'));
    const show = el('button', {type: 'button'}, 'Show its treatments');
    show.addEventListener('click', () => { search.value = result.id; draw(); by('treatments').scrollIntoView(); });
    return [
      ...findings.map((finding, i) => el('article', {className: `finding ${finding.severity.toLowerCase()}${i ? '' : ' first'}`}, el('p', {},
        finding.severity === 'INFO' ? '' : el('strong', {className: 'severity'}, finding.severity === 'WARNING' ? 'Warning' : 'Note'), ' ', finding.sentence))),
      facts([['Source', source || ''], [result.source ? 'Copied' : 'Date', result.date], ['Versions', Object.entries(result.versions || {}).map(v => v.join(' ')).join(', ')],
        ['Machine', [result.machine].concat(result.system || []).join('; ')],
        ...result.source ? [] : [['Tuned', result.tuned ? 'yes' : 'no'], ['Verification', `${result.verified} of ${result.trials} trials verified, `
          + (result.blocks === 1 ? 'one block: no confidence intervals' : result.blocks + ' blocks')]],
        ['Evidence', [link(result.id + '.json', result.id + '.json')].concat(result.folder ? [', ', link(result.folder + '/', result.folder + '/')] : [])]]),
      ...chart(result),
      ...command ? part('Repeat it', command) : [],
      ...result.unranked ? part('Without a valid trial', list(result.unranked)) : [],
      ...result.unequal && result.unequal.length ? part('Terms that could not be made equal', list(result.unequal)) : [],
      ...own.length ? part('Configuration', facts(own)) : [],
      ...result.rows.length ? [el('p', {}, show)] : []];
  };
  const details = results.map(result => {
    const node = el('details', {className: 'result', id: 'r-' + result.id}, el('summary', {}, result.question,
      el('small', {}, [result.experiment, ...result.source ? [] : [result.date], result.machine].join(' · '))));
    node.addEventListener('toggle', () => { if (node.open && node.children.length === 1) node.append(...about(result)); });
    by('list').append(node);
    return {node, result};
  });
  const open = () => {
    const node = location.hash.startsWith('#r-') && by(location.hash.slice(1));
    if (node) { node.hidden = false; node.open = true; node.scrollIntoView(); }
  };

  const draw = () => {
    const wanted = search.value.trim().toLowerCase().split(/\s+/);
    const matching = rows.filter(row => wanted.every(word => row.text.includes(word))
      && filters.every(f => !f.select.value || f.values(row).includes(f.select.value)));
    const kept = new Set(matching.map(row => row.result));
    tables.forEach(table => table.draw(matching));
    details.forEach(({node, result}) => { node.hidden = !kept.has(result); });
    const count = each => each.filter(row => !row.bare).length.toLocaleString('en');
    status.textContent = `${count(matching)} of ${count(rows)} treatments, ${kept.size.toLocaleString('en')} of ${results.length.toLocaleString('en')} results`;
  };
  search.addEventListener('input', draw);
  filters.forEach(filter => filter.select.addEventListener('change', draw));
  order.addEventListener('change', () => {
    const column = order.value === '' ? null : everyColumn[order.value];
    sortBy(column, !!(column && column.largestFirst));
  });
  addEventListener('resize', () => tables.forEach(({table}) => pyrometer.fitTable(table)));
  addEventListener('hashchange', open);
  draw();
  open();
  document.documentElement.dataset.drawn = results.length;
})();
