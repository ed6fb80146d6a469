// The channel: its messages by day, the welcome where there are none, and the choice of a book.

import { again, copy, toAbout } from "./asking.js";
import { byId, el, toast } from "./dom.js";
import { get } from "./api.js";
import { atEnd, reconcile } from "./lists.js";
import { drawPost } from "./posts.js";
import { current, go, openThread } from "./route.js";
import { changes, chooseBook, known, loadEarlier } from "./store.js";
import { onDay } from "./times.js";

export function startChannel(composer) {
  const feed = byId("feed");
  const acts = {
    place: "channel",
    reply: (post) => composer.setAbout(toAbout(post)),
    openThread: (post) => openThread(post.id),
    copy, again,
  };
  const draw = () => atEnd(byId("feed-scroll"), () => drawFeed(feed, acts, composer));
  changes.addEventListener("channel", draw);
  changes.addEventListener("books", () => drawBooks());
  window.addEventListener("hashchange", draw);
  byId("earlier").addEventListener("click", () => loadEarlier().catch((error) => toast(error.message)));
  byId("book").addEventListener("change", onBook);
}

function drawFeed(feed, acts, composer) {
  const { thread } = current();
  const items = [];
  let day = "";
  for (const post of known.roots.values()) {
    const that = onDay(post.created_at);
    if (that !== day) items.push({ key: `day-${that}`, sign: that, draw: () => el("li", { class: "day" }, that) });
    day = that;
    items.push({ key: post.id, sign: JSON.stringify([post, post.id === thread]), draw: () => drawRoot(post, acts, thread) });
  }
  reconcile(feed, items);
  byId("earlier").hidden = !known.hasEarlier;
  drawWelcome(!known.roots.size, composer);
}

function drawRoot(post, acts, thread) {
  const node = drawPost(post, acts);
  node.classList.toggle("open", post.id === thread);
  return node;
}

let welcomed = null;

async function drawWelcome(isEmpty, composer) {
  const welcome = byId("welcome");
  welcome.hidden = !isEmpty;
  const sign = JSON.stringify([known.book, known.books.map((book) => [book.id, book.chunk_count])]);
  if (!isEmpty || welcomed === sign) return;
  welcomed = sign;
  const readable = known.books.filter((book) => book.chunk_count);
  if (!readable.length) return welcome.replaceChildren(...noBook());
  const titles = known.book ? readable.filter((book) => book.id === known.book) : readable;
  const list = el("ul", { "aria-label": "Questions to begin with" });
  welcome.replaceChildren(
    el("h2", {}, "What would you like to know?"),
    el("p", {}, `Answers come from ${titles.map((book) => `“${book.title}”`).join(", ")}, word for word or with a footnote on every sentence. Where the book does not say, Footnote says so.`),
    list);
  // They are tried on the book first, which takes a moment once.
  const asked = known.book ? `?book=${encodeURIComponent(known.book)}` : "";
  const { questions } = await get(`/api/starters${asked}`).catch(() => ({ questions: [] }));
  list.replaceChildren(...questions.map((question) => el("li", {}, el("button", { type: "button", class: "starter",
    onclick: () => { composer.input.value = question; composer.submit(); } }, question))));
}

function noBook() {
  return [
    el("h2", {}, "First, a book"),
    el("p", {}, "There is nothing to answer from yet. Drop Markdown, EPUB, PDF, HTML or a zip of these into the library, and ask away as soon as the first pages are in."),
    el("ul", {}, el("li", {}, el("button", { type: "button", class: "starter", onclick: () => go("#/library") }, "Open the library"))),
  ];
}

function drawBooks() {
  const select = byId("book");
  select.replaceChildren(el("option", { value: "" }, known.books.length ? "all books" : "no book yet"),
    ...known.books.map((book) => el("option", { value: book.id }, book.title)));
  select.value = known.book ?? "";
  select.disabled = !known.books.length;
}

async function onBook(event) {
  try {
    await chooseBook(event.target.value || null);
    toast(event.target.value ? "This channel now asks that book alone." : "This channel now asks all books.");
  } catch (error) {
    toast(error.message);
  }
}
