/* The page: built from its data, then its charts are drawn one after the other. */
(() => {
  'use strict';
  const page = JSON.parse(document.getElementById('data').textContent);
  const NARROW = 560, PAGED = 200, ROWS_AT_ONCE = 50, SEARCHED = 12, LEADING = 3, MOST_ROWS = 8, MOST_PANELS = 4, LONG = 240;
  const number = n => n.toLocaleString('en');
  const severities = ['WARNING', 'NOTICE', 'INFO'], marks = {WARNING: 'Warning', NOTICE: 'Note', INFO: 'Info'};
  const ordered = findings => [...findings].sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));

  const el = (tag, attributes, ...children) => {
    const node = document.createElement(tag);
    Object.entries(attributes || {}).forEach(([name, value]) => node.setAttribute(name, value));
    node.append(...children.flat(Infinity).filter(child => child || child === 0));
    return node;
  };
  /* A percent sign stays on the line of its number. */
  const sentence = text => text.replace(/(\d) %/g, '$1\u00a0%');

  const copied = async (button, code) => {
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
  };
  const button = (text, kind, action) => {
    const node = el('button', {type: 'button', class: kind}, text);
    node.addEventListener('click', () => action(node));
    return node;
  };
  const command = (line, purpose) => {
    const code = el('code', null, line);
    return el('div', {class: 'command'}, purpose && el('p', null, purpose), el('pre', {tabindex: 0}, code),
      button('Copy', 'copy', node => copied(node, code)));
  };

  /* Charts: drawn when all nodes stand, and again when width or colours change. */
  const drawings = [];
  const chartNode = (chart, label, small) => {
    const drawing = {node: el('div', {class: 'chart', role: 'img', 'aria-label': label}), mode: charts.modes(chart)[0]};
    drawing.draw = () => charts.draw(drawing.node, chart, {small, mode: drawing.mode});
    drawings.push(drawing);
    const modes = charts.modes(chart).map(mode => {
      const choice = button(mode, 'mode', () => { drawing.mode = mode; press(); drawing.draw(); });
      return Object.assign(choice, {mode});
    });
    const press = () => modes.forEach(choice => choice.setAttribute('aria-pressed', choice.mode === drawing.mode));
    press();
    return [modes.length > 0 && el('div', {class: 'modes', role: 'group', 'aria-label': 'Unit'}, modes), drawing.node];
  };

  /* Tables. A name of a file of the run is a link; text that is aligned by spaces is a drawing. */
  const FILE = /^(trials\/[\w.-]+(\/[\w.-]+)?|logs\/[\w.-]+|[\w.-]+-flames\/[\w.-]+|[\w.-]+\/report\.html)$/;
  const content = text => text.includes('  ') ? el('code', null, text) : FILE.test(text) ? el('a', {href: text}, text) : text;
  /* A table that is too wide is set tighter, and becomes one card per row if it still is. */
  const fitTable = table => {
    const box = table.parentElement;
    table.classList.remove('tight', 'cards');
    if (!box.clientWidth) return;
    const wide = () => table.scrollWidth > box.clientWidth + 1 || box.scrollWidth > box.clientWidth + 1;
    if (wide()) table.classList.add('tight');
    if (wide() || (box.clientWidth < NARROW && table.tHead.rows[0].cells.length > 2)) {
      table.classList.replace('tight', 'cards') || table.classList.add('cards');
    }
  };
  const tableNode = data => {
    const style = c => data.alignment[c] === 'RIGHT' ? {class: 'n'} : {};
    const body = el('tbody');
    const table = el('table', null, el('thead', null, el('tr', null,
      data.header.map((name, c) => el('th', {scope: 'col', ...style(c)}, name)))), body);
    const show = rows => {
      body.replaceChildren(...rows.map(row => el('tr', null,
        row.map((cell, c) => el('td', {'data-label': data.header[c], ...style(c)}, content(cell))))));
      fitTable(table);
    };
    const box = el('div', {class: 'scroll', tabindex: 0}, table);
    if (data.rows.length >= SEARCHED) return [pager(data.rows, show), box];
    show(data.rows);
    return box;
  };
  /* Rows that match a search, as pages where they are many. */
  const pager = (all, show) => {
    const size = all.length > PAGED ? ROWS_AT_ONCE : all.length;
    let rows = all, at = 0;
    const step = by => { at += by * size; update(); };
    const back = button('Back', '', () => step(-1)), next = button('Next', '', () => step(1));
    const where = el('span', {'aria-live': 'polite'});
    const search = el('input', {type: 'search', placeholder: 'Search rows', 'aria-label': 'Search rows'});
    const update = () => {
      show(rows.slice(at, at + size));
      where.textContent = rows.length ? `${number(at + 1)}–${number(Math.min(at + size, rows.length))} of ${number(rows.length)}` : 'No such row';
      back.disabled = at === 0;
      next.disabled = at + size >= rows.length;
    };
    search.addEventListener('input', () => {
      const wanted = search.value.toLowerCase();
      rows = all.filter(row => row.some(cell => cell.toLowerCase().includes(wanted)));
      at = 0;
      update();
    });
    update();
    return el('p', {class: 'pager'}, size < all.length && [back, next], where, search);
  };
  const quoted = cell => /[",\n\r]/.test(cell) ? '"' + cell.replaceAll('"', '""') + '"' : cell;
  const download = (name, {header, rows}) => {
    const text = [header, ...rows].map(row => row.map(quoted).join(',')).join('\r\n') + '\r\n';
    const file = (name.toLowerCase().replace(/[^a-z0-9]+/g, '-').slice(0, 60).replace(/^-|-$/g, '') || 'figures') + '.csv';
    el('a', {href: 'data:text/csv;charset=utf-8,' + encodeURIComponent(text), download: file}).click();
    document.documentElement.dataset.downloaded = file + ' ' + text.length;
  };

  const figureNode = ({caption, chart, table}) => {
    const csv = button('CSV', 'csv', () => download(caption, table));
    csv.setAttribute('aria-label', 'Download as CSV: ' + caption);
    return el('figure', null, el('figcaption', null, sentence(caption)), csv,
      chart ? [chartNode(chart, caption + ' The table below holds the same figures.'),
        el('details', {class: 'figures'}, el('summary', null, 'Table'), tableNode(table))] : tableNode(table));
  };
  /* The first sentence of a long lead, the others on demand. */
  const leadNode = text => {
    const end = text.search(/[.!?] /) + 1;
    if (text.length < LONG || end === 0) return text && el('p', {class: 'lead'}, sentence(text));
    return [el('p', {class: 'lead'}, sentence(text.slice(0, end))),
      el('details', {class: 'lead'}, el('summary', null, 'More on these figures'), el('p', null, sentence(text.slice(end + 1))))];
  };
  const sectionNode = ({id, title, lead, figures}) => el('section', {id}, el('h2', null, title), leadNode(lead), figures.map(figureNode));

  /* The answer: the choice for each job, or else the first findings. */
  const recommendation = ({rows, confidence, reason, validFor, next}) => [
    el('table', {class: 'choices'},
      el('thead', null, el('tr', null, ['Job', 'Choice', 'Result', rows.some(row => row.ratio) ? 'Ratio' : ''].map(name => el('th', {scope: 'col'}, name)))),
      el('tbody', null, rows.map(row => [
        el('tr', null, el('th', {scope: 'row'}, row.job), el('td', {class: 'choice'}, row.choice), el('td', {class: 'result'}, row.figure),
          el('td', null, row.ratio)),
        row.notes.length > 0 && el('tr', {class: 'remark'}, el('td'), el('td', {colspan: 3}, sentence(row.notes.join(' · '))))]))),
    el('dl', {class: 'facts'},
      fact('Confidence', el('span', {class: 'confidence ' + confidence}, confidence), reason && ' ' + sentence(reason)),
      validFor && fact('Valid for', sentence(validFor)),
      next && fact('Next', next.purpose && el('span', {class: 'purpose'}, sentence(next.purpose)), command(next.line)))];
  const fact = (name, ...value) => el('div', null, el('dt', null, name), el('dd', null, value));
  const estimateText = e => charts.estimate([0, e.value, '', ...e.confidence > 0 ? [e.low, e.high] : []], e.unit);
  const findingNode = finding => el('li', {class: finding.severity.toLowerCase(), 'data-id': finding.id},
    el('details', null,
      el('summary', null, el('span', {class: 'severity'}, marks[finding.severity]), el('span', null, sentence(finding.sentence))),
      el('div', {class: 'behind'}, finding.remedy && el('p', null, sentence(finding.remedy)),
        Object.keys(finding.estimates).length > 0 && el('dl', null, Object.entries(finding.estimates).map(([name, e]) => fact(name, estimateText(e)))),
        el('code', {class: 'id'}, finding.id))));
  const findingList = (findings, kind) => findings.length > 0 && el('ul', {class: 'findings ' + kind}, findings.map(findingNode));
  /* The first rows or panels of a chart. */
  const shortened = chart => ({...chart, series: 'POINTS BARS EFFECTS'.includes(chart.kind)
    ? chart.series.map(s => ({...s, points: s.points.slice(0, MOST_ROWS)}))
    : chart.series.filter(s => panelsOf(chart).indexOf(s.panel) < MOST_PANELS)});
  const panelsOf = chart => [...new Set(chart.series.map(s => s.panel))];
  /* The first chart, small, beside the answer. */
  const preview = () => {
    const section = page.sections.find(s => s.figures.some(f => f.chart));
    if (!section) return '';
    const {caption, chart} = section.figures.find(f => f.chart), first = shortened(chart);
    return el('div', {class: 'preview'}, el('p', {class: 'caption'}, el('a', {href: '#' + section.id}, section.title), ': ', sentence(caption),
        first.series[0].points.length < chart.series[0].points.length && ` (the first ${MOST_ROWS})`),
      chartNode(first, `${caption} The section ${section.title} holds the same figures.`, true));
  };
  const header = () => {
    const choice = page.recommendation;
    const leading = choice ? [] : page.answer.filter((finding, i) => i === 0 || finding.severity !== 'NOTICE').slice(0, LEADING);
    const first = choice ? recommendation(choice) : findingList(leading, 'leading');
    return el('header', {id: 'answer'}, el('p', {class: 'title'}, page.title), el('h1', null, page.question),
      el('div', {class: 'first'}, first && el('div', {class: 'answer'}, first), preview()),
      findingList(ordered(page.answer.filter(finding => !leading.includes(finding))), 'notes'),
      page.about && el('p', {class: 'about'}, sentence(page.about)));
  };
  const notes = [...new Set(page.sections.flatMap(s => s.figures.flatMap(f => f.table.notes)))];
  const closing = [
    notes.length > 0 && el('section', {id: 'notes'}, el('h2', null, 'Notes to the tables'), notes.map(note => el('p', {class: 'note'}, note))),
    page.again.length > 0 && el('section', {id: 'again'}, el('h2', null, 'Run it again'), page.again.map(each => command(each.line, each.purpose)))];

  const links = [(page.recommendation || page.answer.length > 0) && ['answer', 'Answer'], ...page.sections.map(s => [s.id, s.title]),
    page.again.length > 0 && ['again', 'Run it again']].filter(Boolean).map(([id, title]) => el('a', {href: '#' + id}, title));
  const bar = el('nav', {'aria-label': 'Sections'}, el('a', {class: 'brand', href: '#top'}, 'Pyrometer'), links);
  const main = el('main', {id: 'top'}, header(), page.sections.map(sectionNode), closing);
  document.body.prepend(bar, main);

  const inTurn = i => {
    if (i < drawings.length) {
      drawings[i].draw();
      setTimeout(() => inTurn(i + 1), 0);
      return;
    }
    document.documentElement.dataset.drawn = drawings.length;
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  };
  inTurn(0);

  const drawAll = () => drawings.forEach(drawing => drawing.draw());
  const tables = [...document.querySelectorAll('.scroll > table')];
  const fitTables = () => tables.forEach(fitTable);
  fitTables();
  document.querySelectorAll('details').forEach(details => details.addEventListener('toggle', () =>
    details.querySelectorAll('.scroll > table').forEach(fitTable)));
  let pending = 0;
  addEventListener('resize', () => {
    fitTables();
    clearTimeout(pending);
    pending = setTimeout(() => drawings.filter(({node}) => String(node.clientWidth) !== node.dataset.width).forEach(d => d.draw()), 120);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
  addEventListener('beforeprint', () => { document.documentElement.classList.add('printing'); drawAll(); });
  addEventListener('afterprint', () => { document.documentElement.classList.remove('printing'); drawAll(); });

  /* The navigation shows where the reader is. */
  const watch = new IntersectionObserver(entries => entries.filter(e => e.isIntersecting).forEach(({target}) => links.forEach(link => {
    const here = link.hash === '#' + target.id;
    link.classList.toggle('here', here);
    if (here) {
      link.setAttribute('aria-current', 'true');
      bar.scrollTo({left: link.offsetLeft - bar.clientWidth / 3});
    } else {
      link.removeAttribute('aria-current');
    }
  })), {rootMargin: '-15% 0px -75% 0px'});
  document.querySelectorAll('header[id], section[id]').forEach(part => watch.observe(part));
})();
