// Keeps a list of messages on screen in step with what is known, touching only what changed.

/** Show *items* ({key, sign, draw}) in *list*; an element stays as long as its key and sign stay. */
export function reconcile(list, items) {
  const standing = new Map([...list.children].map((node) => [node.dataset.key, node]));
  let next = list.firstElementChild;
  for (const item of items) {
    let node = standing.get(item.key);
    if (node && node.dataset.sign !== item.sign) {
      const fresh = made(item);
      const hadFocus = node.contains(document.activeElement);
      if (next === node) next = fresh;
      node.replaceWith(fresh);
      if (hadFocus) fresh.focus({ preventScroll: true });
      node = fresh;
    }
    node ??= made(item);
    standing.delete(item.key);
    if (node === next) next = node.nextElementSibling;
    else list.insertBefore(node, next);
  }
  for (const node of standing.values()) node.remove();
}

function made(item) {
  const node = item.draw();
  node.dataset.key = item.key;
  node.dataset.sign = item.sign;
  return node;
}

/** Keep the end in view if it was in view before *change*. */
export function atEnd(scroll, change) {
  const isAtEnd = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 80;
  change();
  if (isAtEnd) scroll.scrollTop = scroll.scrollHeight;
}
