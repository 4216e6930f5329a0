/* What all pages do with their tables and commands, also with those that are added later. */
const pyrometer = (() => {
  'use strict';
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
  return {narrow, fitTable, label};
})();
