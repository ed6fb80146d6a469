// Keys: everything can be done without a mouse.

import { help } from "./dialogs.js";
import { byId } from "./dom.js";
import { openFootnote } from "./reply.js";
import { closeSide, current, openChannel, openSearch, openThread } from "./route.js";
import { known } from "./store.js";

const isTyping = (target) => target.closest("input, textarea, select, [contenteditable]");

export function startKeys({ channel, thread, copy, toAbout }) {
  const composer = () => (current().thread ? thread : channel);
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if ((event.ctrlKey || event.metaKey) && event.key === "k") {
      event.preventDefault();
      openSearch();
    } else if (event.key === "Escape") {
      close();
    } else if (!isTyping(event.target) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      onPlainKey(event, { composer: composer(), copy, toAbout });
    }
  });
}

function close() {
  if (document.body.dataset.side !== "none") closeSide();
  else if (current().thread) openChannel();
  else document.activeElement?.blur();
}

function onPlainKey(event, { composer, copy, toAbout }) {
  const post = find(event.target.closest?.(".post"));
  const acts = {
    "/": () => { composer.input.value = "/"; composer.focus(); composer.onInput(); },
    "?": help,
    ArrowDown: () => move(event.target, 1),
    ArrowUp: () => move(event.target, -1),
    ArrowLeft: () => step("before"),
    ArrowRight: () => step("after"),
    r: () => post && composer.setAbout(toAbout(post)),
    c: () => post && copy(post),
    Enter: () => post && event.target.matches(".post") && post.id === post.thread && openThread(post.id),
  };
  const act = acts[event.key] ?? (/^[1-9]$/.test(event.key) && post?.reply ? () => openFootnote(post, Number(event.key)) : null);
  if (!act || (event.target.matches("button, a") && event.key === "Enter")) return;
  if (act() !== false) event.preventDefault();
}

function find(node) {
  if (!node) return null;
  const id = node.dataset.post;
  return known.roots.get(id) ?? [...known.threads.values()].flat().find((post) => post.id === id) ?? null;
}

function move(from, by) {
  const list = from.closest?.(".posts") ?? (current().thread ? byId("thread-posts") : byId("feed"));
  if (document.body.dataset.view !== "channel") return false;
  const posts = [...list.querySelectorAll(".post[data-post]")];
  const here = posts.indexOf(from.closest?.(".post"));
  const next = here < 0 ? (by < 0 ? posts.length - 1 : 0) : here + by;
  posts[Math.max(0, Math.min(next, posts.length - 1))]?.focus();
  return posts.length > 0;
}

function step(to) {
  const button = document.querySelector(`.side [data-step="${to}"]:not(:disabled)`);
  button?.click();
  return Boolean(button);
}
