'use strict';
// What script adds to the page: tables sort and filter, figures can be saved, crawlers can be found.
// Text comes from the page and goes back as text only.
(() => {
  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  const save = (blob, name) => {
    const link = make('a', { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  // Tables: a heading sorts, a word filters.
  const sort = (table, column, heading) => {
    const isRising = heading.getAttribute('aria-sort') === 'descending';
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
    heading.setAttribute('aria-sort', isRising ? 'ascending' : 'descending');
    const value = row => {
      const cell = row.cells[column];
      return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
    };
    const compare = (one, other) => typeof one === 'number' && typeof other === 'number'
      ? one - other
      : String(one).localeCompare(String(other), 'en', { numeric: true });
    const rows = [...table.tBodies[0].rows];
    rows.sort((one, other) => compare(value(one), value(other)) * (isRising ? 1 : -1));
    table.tBodies[0].append(...rows);
  };
  // Buttons are made when a table is first seen: folded tables cost nothing.
  const equip = table => {
    if (table.dataset.ready) return;
    table.dataset.ready = 'true';
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const button = make('button', { type: 'button' }, heading.textContent);
      button.addEventListener('click', () => sort(table, column, heading));
      heading.replaceChildren(button);
    });
    if (table.tBodies[0].rows.length < 15) return;
    const input = make('input', { type: 'search', autocomplete: 'off' });
    input.addEventListener('input', () => {
      const word = input.value.trim().toLowerCase();
      for (const row of table.tBodies[0].rows) row.hidden = !row.textContent.toLowerCase().includes(word);
    });
    table.parentElement.before(make('label', {}, 'Filter rows', input));
  };
  for (const details of document.querySelectorAll('.sure')) {
    details.addEventListener('toggle', () => details.querySelectorAll('table').forEach(equip));
  }

  // Tables that are larger than their box show on which sides they go on.
  const mark = box => {
    const rest = box.scrollWidth - box.clientWidth - box.scrollLeft;
    box.classList.add('known');
    box.classList.toggle('more', rest > 2);
    box.classList.toggle('less', box.scrollLeft > 2);
    box.classList.toggle('below', box.scrollHeight - box.clientHeight - box.scrollTop > 2);
  };
  const sizes = new ResizeObserver(entries => entries.forEach(entry => mark(entry.target)));
  for (const box of document.querySelectorAll('.table')) {
    box.addEventListener('scroll', () => mark(box), { passive: true });
    sizes.observe(box);
  }

  // Figures: as SVG and as PNG, on white paper.
  const paper = svg => {
    const copy = svg.cloneNode(true);
    const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
    copy.setAttribute('width', width * 3);
    copy.setAttribute('height', height * 3);
    const sheet = document.createElementNS(svg.namespaceURI, 'rect');
    for (const [name, value] of Object.entries({ width, height, fill: '#ffffff' })) sheet.setAttribute(name, value);
    copy.querySelector('desc').after(sheet);
    const text = new XMLSerializer().serializeToString(copy);
    return { blob: new Blob([text], { type: 'image/svg+xml' }), width: width * 3, height: height * 3 };
  };
  for (const svg of document.querySelectorAll('figure svg')) {
    const article = svg.closest('article');
    const title = article.querySelector('.kicker').textContent;
    const asSvg = make('button', { type: 'button', ariaLabel: `SVG of: ${title}` }, 'SVG');
    asSvg.addEventListener('click', () => save(paper(svg).blob, `${article.id}.svg`));
    const asPng = make('button', { type: 'button', ariaLabel: `PNG of: ${title}` }, 'PNG');
    asPng.addEventListener('click', () => {
      const { blob, width, height } = paper(svg);
      const image = new Image();
      image.addEventListener('load', () => {
        const canvas = make('canvas', { width, height });
        canvas.getContext('2d').drawImage(image, 0, 0, width, height);
        canvas.toBlob(png => save(png, `${article.id}.png`), 'image/png');
        URL.revokeObjectURL(image.src);
      });
      image.src = URL.createObjectURL(blob);
    });
    article.querySelector('.downloads').append(asSvg, asPng);
  }

  // A search for a crawler lists every row of the page that is about it.
  const rows = [...document.querySelectorAll('tr[data-agent]')];
  const agents = new Map();
  for (const row of rows) {
    const token = row.dataset.agent;
    if (!token.includes(' ') && !agents.has(token)) agents.set(token, row.cells[0].textContent);
  }
  if (agents.size > 0) {
    const input = make('input', { type: 'search', autocomplete: 'off', placeholder: 'GPTBot, ClaudeBot …' });
    input.setAttribute('list', 'agents');
    const list = make('datalist', { id: 'agents' });
    list.append(...[...agents.values()].map(value => make('option', { value })));
    const found = make('div', {});
    found.setAttribute('aria-live', 'polite');
    const find = () => {
      found.replaceChildren();
      const word = input.value.trim().toLowerCase();
      if (word === '') return;
      const entries = [...agents].filter(([token, name]) => token === word || name.toLowerCase() === word);
      const near = [...agents].filter(([token, name]) => (token + ' ' + name.toLowerCase()).includes(word));
      const chosen = (entries.length > 0 ? entries : near).map(([token]) => token);
      if (chosen.length === 0 || chosen.length > 3) {
        const names = near.slice(0, 12).map(([, name]) => name).join(', ');
        found.append(make('p', {}, chosen.length === 0 ? 'No table of this report has such a crawler.' : `Which one? ${names}`));
        return;
      }
      const sections = new Map();
      for (const row of rows) {
        if (!row.dataset.agent.split(' ').some(token => chosen.includes(token))) continue;
        const table = row.closest('table');
        if (!sections.has(table)) sections.set(table, []);
        sections.get(table).push(row);
      }
      for (const [table, ofTable] of sections) {
        const article = table.closest('article');
        const title = article.querySelector('.kicker').textContent;
        const link = make('a', { href: `#${article.id}` }, title);
        const head = table.tHead.cloneNode(true);
        for (const cell of head.rows[0].cells) {
          cell.textContent = cell.textContent;
          cell.removeAttribute('aria-sort');
        }
        const body = make('tbody', {}, ...ofTable.map(row => {
          const copy = row.cloneNode(true);
          copy.hidden = false;
          copy.removeAttribute('data-agent');
          return copy;
        }));
        const box = make('div', { className: 'table', tabIndex: 0, ariaLabel: `${title}, of the crawler` }, make('table', {}, head, body));
        box.setAttribute('role', 'group');
        found.append(make('p', { className: 'hit' }, link), box);
      }
    };
    input.addEventListener('input', find);
    const search = make('div', { id: 'search' }, make('label', {}, 'What about this crawler?', input), list, found);
    search.setAttribute('role', 'search');
    document.querySelector('main').prepend(search);
  }

  // A link to a section opens all folds around the section.
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const own = target.querySelector(':scope > details.chapter');
    if (own) own.open = true;
    for (let folded = target.closest('details'); folded; folded = folded.parentElement.closest('details')) folded.open = true;
    if (target.tagName === 'ARTICLE') target.scrollIntoView();
  };
  addEventListener('hashchange', unfold);
  unfold();

  // Paper has no folds.
  let folded = [];
  addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('details.chapter:not([open])')];
    for (const details of folded) details.open = true;
  });
  addEventListener('afterprint', () => { for (const details of folded) details.open = false; });
})();
