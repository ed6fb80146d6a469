const go = (path, body) => fetch('/_control/' + path, {method: 'POST', body: JSON.stringify(body)});
const here = new URLSearchParams(location.search);
const place = () => ({user: document.body.dataset.user, channel: document.body.dataset.channel});
document.addEventListener('submit', event => {
  event.preventDefault();
  const text = event.target.text.value;
  const command = text.match(/^\/(\w+)\s*(.*)$/);
  const option = {ask: 'question', search: 'query'};
  const sent = command
    ? go('slash', {...place(), name: command[1], options: option[command[1]] ? {[option[command[1]]]: command[2]} : {}})
    : go('say', {...place(), text});
  sent.then(() => event.target.reset());
});
document.addEventListener('click', event => {
  const press = event.target.dataset.press;
  const message = event.target.closest('[data-id]');
  if (press && message) go('press', {...place(), message: message.dataset.id, custom_id: press});
});
new EventSource('/_control/feed').onmessage = async () => {
  if (document.activeElement?.value) return;
  const fresh = new DOMParser().parseFromString(await (await fetch(location)).text(), 'text/html');
  document.querySelector('main').replaceWith(fresh.querySelector('main'));
};
