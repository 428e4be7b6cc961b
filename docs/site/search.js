// Search of the site, without a server: all words that are typed must begin a word of a section; headings count most.
(() => {
  const field = document.getElementById('search'), found = document.getElementById('found');
  const root = field.dataset.root, most = 30;
  let sections = null;
  const folded = (text) => text.toLowerCase().normalize('NFKD').replace(/[\u0300-\u036f]/g, '');

  // The index is fetched when the field is first used.
  function load() {
    if (document.getElementById('site-index')) return;
    const script = document.createElement('script');
    script.id = 'site-index';
    script.src = `${root}search_index.js`;
    script.onload = () => {
      sections = window.siteIndex.flatMap(([page, list]) => list.map(([address, heading, text]) => ({
        page, address, heading, text, inHeading: ` ${folded(`${page} ${heading}`)}`, inText: ` ${folded(text)}` })));
      show();
    };
    document.body.append(script);
  }
  // How often a word begins with it, as \b does not know letters beyond ASCII.
  const times = (text, word) => text.split(new RegExp(`[^\\p{L}\\p{N}]${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'u')).length - 1;
  function ranked(words) {
    return sections.map((section) => {
      let rank = 0;
      for (const word of words) {
        const score = 20 * times(section.inHeading, word) + Math.min(times(section.inText, word), 10);
        if (score === 0) return null;
        rank += score;
      }
      return { section, rank };
    }).filter(Boolean).sort((a, b) => b.rank - a.rank);
  }
  // The words around the first that is found.
  function excerpt(text, word) {
    const at = Math.max(folded(text).indexOf(word), 0), begin = Math.max(at - 60, 0);
    return `${begin > 0 ? '…' : ''}${text.slice(begin, at + 120)}${text.length > at + 120 ? '…' : ''}`;
  }
  function show() {
    const words = folded(field.value).split(/\s+/).filter((word) => word.length > 1);
    found.hidden = words.length === 0;
    if (found.hidden || !sections) return;
    const all = ranked(words), list = document.createElement('ol'), count = document.createElement('p');
    count.textContent = all.length === 0 ? 'Nothing has all of these words.' : `${all.length} ${all.length === 1 ? 'section' : 'sections'}${all.length > most ? `, the first ${most} of them` : ''}`;
    for (const { section } of all.slice(0, most)) {
      const item = document.createElement('li'), link = document.createElement('a'), text = document.createElement('p');
      link.href = root + section.address;
      link.textContent = section.page === section.heading ? section.page : `${section.page}: ${section.heading}`;
      text.textContent = excerpt(section.text, words[0]);
      item.append(link, text);
      list.append(item);
    }
    found.replaceChildren(count, list);
  }
  field.addEventListener('focus', load);
  field.addEventListener('input', () => { load(); show(); });
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') { field.value = ''; show(); }
    if (event.key === 'Enter') found.querySelector('a')?.click();
  });
})();
