// The open thread: its messages, the answers on their way, and forgetting it.

import { again, copy, toAbout } from "./asking.js";
import { call } from "./api.js";
import { confirm } from "./dialogs.js";
import { announce, byId, el, toast } from "./dom.js";
import { atEnd, reconcile } from "./lists.js";
import { drawPost } from "./posts.js";
import { current, openChannel } from "./route.js";
import { changes, dropThread, known, loadThread, unanswered } from "./store.js";
import { drawWaiting, updateWaiting } from "./waiting.js";

export function startThread(composer) {
  const acts = { place: "thread", reply: (post) => composer.setAbout(toAbout(post)), copy, again };
  const show = () => atEnd(byId("thread-scroll"), () => draw(acts));
  changes.addEventListener("thread", (event) => { if (event.detail.id === current().thread) show(); });
  changes.addEventListener("progress", (event) => { if (event.detail.thread === current().thread) show(); });
  changes.addEventListener("forgotten", (event) => { if (event.detail.id === current().thread) openChannel(); });
  byId("thread-close").addEventListener("click", openChannel);
  byId("thread-back").addEventListener("click", openChannel);
  byId("thread-forget").addEventListener("click", () => forget(current().thread));
  let opened = null;
  const open = async () => {
    const { thread } = current();
    byId("thread").hidden = !thread;
    document.body.toggleAttribute("data-thread", Boolean(thread));
    if (!thread || thread === opened) { opened = thread; return; }
    opened = thread;
    composer.clear();
    // At once, not after reading: by then the member may have selected something, which focus would undo.
    if (matchMedia("(hover: hover)").matches && !current().passage) composer.focus();
    show();
    await read(thread, show);
    byId("thread-scroll").scrollTop = byId("thread-scroll").scrollHeight;
  };
  window.addEventListener("hashchange", open);
  return open;
}

async function read(thread, show) {
  try {
    await loadThread(thread);
  } catch (error) {
    if (error.status === 404) { toast(error.message); openChannel(); return; }
    byId("thread-posts").replaceChildren(el("li", { class: "problem" }, el("p", {}, error.message),
      el("button", { type: "button", class: "quiet", onclick: () => read(thread, show) }, "Try again")));
  }
}

function draw(acts) {
  const posts = known.threads.get(current().thread) ?? [];
  const waiting = new Set(unanswered(posts).map((post) => post.id));
  const items = [];
  for (const post of posts) {
    items.push({ key: post.id, sign: JSON.stringify(post), draw: () => drawn(post, acts) });
  }
  for (const post of posts.filter((each) => waiting.has(each.id))) {
    items.push({ key: `waiting-${post.id}`, sign: "waiting", draw: () => drawWaiting(post) });
  }
  reconcile(byId("thread-posts"), items);
  for (const id of waiting) {
    updateWaiting(document.querySelector(`[data-waiting="${id}"]`), known.progress.get(id));
  }
}

function drawn(post, acts) {
  if (post.reply && Date.now() - Date.parse(post.created_at) < 10_000) {
    announce(post.reply.kind === "answer" ? "The answer is there." : "There is a reply.");
  }
  return drawPost(post, acts);
}

export async function forget(thread) {
  const isSure = await confirm({
    title: "Forget this thread?",
    text: "Its messages and what Footnote remembers of them are deleted for good, here and in the database.",
    action: "Forget it",
  });
  if (!isSure) return;
  try {
    await call("DELETE", `/api/channel/threads/${thread}`);
    dropThread(thread);
    toast("Forgotten.");
  } catch (error) {
    toast(error.message);
  }
}
