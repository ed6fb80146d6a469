const go = (path, body) => fetch('/_control/' + path, {method: 'POST', body: JSON.stringify(body)});
const here = new URLSearchParams(location.search);
document.addEventListener('submit', event => {
  event.preventDefault();
  const text = event.target.text.value, thread = event.target.dataset.thread;
  const [first, ...rest] = text.split(' ');
  const place = {user: here.get('user'), channel: here.get('channel')};
  const sent = text.startsWith('/') ? go('types', {...place, command: first, text: rest.join(' ')})
    : go('says', {...place, text, thread});
  sent.then(() => event.target.reset());
});
document.addEventListener('click', event => {
  const {thread, action, value} = event.target.dataset;
  if (thread) { here.set('thread', thread); location.search = here; }
  const message = event.target.closest('[data-ts]');
  if (action && message) go('clicks', {user: here.get('user'), channel: here.get('channel'), ts: message.dataset.ts,
    action, value});
});
new EventSource('/_control/feed').onmessage = async () => {
  if (document.activeElement?.value) return;
  const fresh = new DOMParser().parseFromString(await (await fetch(location)).text(), 'text/html');
  document.querySelector('main').replaceWith(fresh.querySelector('main'));
};
