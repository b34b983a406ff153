(function () {
  'use strict';
  var root = document.documentElement;
  var key = 'metricc-theme';
  function stored() { try { return localStorage.getItem(key); } catch (e) { return null; } }
  function keep(theme) { try { localStorage.setItem(key, theme); } catch (e) { /* not kept */ } }
  var theme = stored();
  if (theme === 'light' || theme === 'dark') root.setAttribute('data-theme', theme);

  function isDark() {
    var chosen = root.getAttribute('data-theme');
    return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  }

  function prepareTheme() {
    var button = document.getElementById('theme');
    if (!button) return;
    function name() { button.textContent = isDark() ? 'Light' : 'Dark';
      button.setAttribute('aria-label', 'Use ' + (isDark() ? 'light' : 'dark') + ' colours'); }
    button.hidden = false;
    name();
    button.addEventListener('click', function () {
      var next = isDark() ? 'light' : 'dark';
      root.setAttribute('data-theme', next);
      keep(next);
      name();
    });
  }

  function all(selector) { return Array.prototype.slice.call(document.querySelectorAll(selector)); }

  function prepareFilter(id, items, sections, noun) {
    var panel = document.getElementById(id);
    if (!panel) return;
    panel.hidden = false;
    var field = panel.querySelector('input');
    var choices = Array.prototype.slice.call(panel.querySelectorAll('select[name]'));
    var count = panel.querySelector('p');
    function apply() {
      var words = (field ? field.value : '').toLowerCase().split(/\s+/).filter(Boolean);
      var shown = 0;
      items.forEach(function (item) {
        var text = item.getAttribute('data-text');
        var fits = words.every(function (word) { return text.indexOf(word) >= 0; })
          && choices.every(function (choice) {
            return !choice.value || item.getAttribute('data-' + choice.name) === choice.value; });
        item.hidden = !fits;
        if (fits) shown += 1;
      });
      var moved = document.getElementById('moved');
      if (moved && sections.length) moved.hidden = shown < items.length;
      sections.forEach(function (section) {
        section.hidden = !section.querySelector('.card:not([hidden])');
      });
      count.textContent = shown + ' of ' + items.length + ' ' + noun;
    }
    if (field) prepareSearch(field, items, apply);
    panel.addEventListener('change', apply);
    apply();
  }

  // What was searched for is part of the address: #q=WORDS. The key / leads to the field from every page.
  function prepareSearch(field, items, apply) {
    function read() {
      var found = /^#q=(.*)$/.exec(location.hash);
      if (found) { field.value = decodeURIComponent(found[1]); apply(); }
      if (found || location.hash === '#search') field.focus();
    }
    field.addEventListener('input', function () {
      var words = field.value.trim();
      history.replaceState(null, '', words ? '#q=' + encodeURIComponent(words) : '#');
      apply();
    });
    field.addEventListener('keydown', function (event) {
      if (event.key !== 'Enter') return;
      var first = items.filter(function (item) { return !item.hidden; })[0];
      if (first && field.value) location.href = first.querySelector('a').href;
    });
    addEventListener('hashchange', read);
    setTimeout(read);
  }

  function prepareSlash() {
    document.addEventListener('keydown', function (event) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
      var field = document.getElementById('search');
      var link = document.querySelector('a[href$="#search"]');
      if (!field && !link) return;
      event.preventDefault();
      if (field) field.focus(); else location.href = link.href;
    });
  }

  // By file each card is where it was; in another order all are on the first shelf.
  function prepareOrder(cards) {
    var choice = document.getElementById('order');
    if (!choice) return;
    var homes = cards.map(function (card) { return card.parentNode; });
    choice.addEventListener('change', function () {
      var name = choice.value;
      var order = cards.slice();
      if (name) order.sort(function (a, b) {
        var one = a.getAttribute(name) || '';
        var other = b.getAttribute(name) || '';
        return name === 'data-moved' ? other - one : one.localeCompare(other);
      });
      order.forEach(function (card) { (name ? homes[0] : homes[cards.indexOf(card)]).appendChild(card); });
      all('.shelf > h2').forEach(function (heading) { heading.hidden = name !== ''; });
    });
  }

  function select(element) {
    var range = document.createRange();
    range.selectNodeContents(element);
    var selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }

  // Where the clipboard may not be written the text is selected, for the reader to copy.
  function prepareCopies() {
    document.querySelectorAll('button[data-copy]').forEach(function (button) {
      var label = button.innerHTML;
      var source = document.getElementById(button.getAttribute('data-copy'));
      function say(text) {
        button.textContent = text;
        setTimeout(function () { button.innerHTML = label; }, 2000);
      }
      function fallBack() {
        select(source);
        var done = false;
        try { done = document.execCommand('copy'); } catch (e) { /* only selected */ }
        say(done ? 'Copied' : 'Selected');
      }
      button.setAttribute('aria-live', 'polite');
      button.hidden = false;
      button.addEventListener('click', function () {
        if (!navigator.clipboard) return fallBack();
        navigator.clipboard.writeText(source.textContent).then(function () { say('Copied'); }, fallBack);
      });
    });
  }

  // A finger points at nothing: what it touches is said below the drawing.
  function tellTouched() {
    document.querySelectorAll('.plot').forEach(function (plot) {
      var line;
      plot.addEventListener('click', function (event) {
        var title = event.target.closest('rect') && event.target.querySelector('title');
        if (!title) return;
        if (!line) {
          line = document.createElement('p');
          line.className = 'told';
          line.setAttribute('aria-live', 'polite');
          plot.insertBefore(line, plot.querySelector('details'));
        }
        line.textContent = title.textContent;
      });
    });
  }

  // Where a drawing is wider than the page: its latest days, and the metric that the page is about.
  function showWhatMatters() {
    document.querySelectorAll('.plot.wide > .scroll').forEach(function (box) {
      box.scrollLeft = box.scrollWidth;
    });
    document.querySelectorAll('.node.centre').forEach(function (node) {
      var box = node.closest('.scroll');
      var place = node.getBoundingClientRect();
      box.scrollLeft = place.left + place.width / 2 - box.getBoundingClientRect().left - box.clientWidth / 2;
    });
  }

  document.addEventListener('DOMContentLoaded', function () {
    prepareTheme();
    var cards = all('.shelf .card');
    prepareFilter('filter', cards, all('.shelf'), 'metrics and reports');
    prepareOrder(cards);
    prepareSlash();
    prepareFilter('fields', all('#groups tbody tr'), [], 'groups');
    prepareCopies();
    tellTouched();
    showWhatMatters();
  });
}());
