// Puts the page together.

import { copy, send, toAbout } from "./asking.js";
import { startChannel } from "./channel.js";
import { toSearch } from "./commands.js";
import { Composer } from "./composer.js";
import { ask, help } from "./dialogs.js";
import { byId, el, toast } from "./dom.js";
import { startKeys } from "./keys.js";
import { showLibrary, startLibrary } from "./library.js";
import { keep, myName, recall } from "./memory.js";
import { showPassage } from "./passage.js";
import { closeSide, current, go, openSearch } from "./route.js";
import { showSearch } from "./search.js";
import { startSelection } from "./selection.js";
import { changes, chooseBook, known, listen, loadChannel, loadThread } from "./store.js";
import { forget, startThread } from "./thread.js";

const channel = new Composer(byId("channel-composer"), {
  name: "channel", placeholder: "Ask the book a question", onSend: (sent) => send(sent), onCommand,
});
const thread = new Composer(byId("thread-composer"), {
  name: "thread", placeholder: "Go on asking in this thread", onSend: (sent) => send({ ...sent, thread: current().thread }), onCommand,
});

function askAbout(about) {
  const { thread: isInThread } = current();
  // What stands beside a thread covers the channel, and on a phone everything.
  if (!isInThread || matchMedia("(width <= 760px)").matches) closeSide();
  (isInThread ? thread : channel).setAbout(about);
}

/** True if *text* was a command that needs no sending. */
function onCommand(text, composer) {
  const [name, ...words] = text.split(/\s+/);
  const rest = words.join(" ");
  const commands = {
    "/search": () => openSearch(toSearch(rest)),
    "/library": () => go("#/library"),
    "/help": help,
    "/forget": () => (current().thread ? forget(current().thread) : toast("Open a thread first; it is threads that are forgotten.")),
    "/book": () => useBook(rest),
  };
  if (name === "/ask" || name === "/note") return !rest;
  composer.clear();
  if (commands[name]) commands[name]();
  else toast(`There is no command ${name}. Press / to see what there is.`);
  return true;
}

async function useBook(name) {
  const book = known.books.find((each) => each.id === name || each.title.toLowerCase() === name.toLowerCase());
  if (!book && name !== "all") return toast(`There is no book “${name}” here.`);
  try {
    await chooseBook(book?.id ?? null);
    toast(book ? `This channel now asks “${book.title}” alone.` : "This channel now asks all books.");
  } catch (error) {
    toast(error.message);
  }
}

function drawSide() {
  const { view, passage, search } = current();
  const side = byId("side");
  const shown = view === "channel" ? (passage ? "passage" : search ? "search" : "none") : "none";
  const wasOpen = document.body.dataset.side;
  document.body.dataset.side = shown;
  side.hidden = shown === "none";
  if (shown === "passage") showPassage(side, askAbout);
  else if (shown === "search") showSearch(side, askAbout);
  else if (wasOpen !== "none") {
    const hadFocus = side.contains(document.activeElement) || document.activeElement === document.body;
    side.replaceChildren();
    for (const mark of document.querySelectorAll(".mark[aria-expanded]")) {
      mark.removeAttribute("aria-expanded");
      if (hadFocus) mark.focus({ preventScroll: true });
    }
  }
}

function drawPlace() {
  const { view, search, book } = current();
  document.body.dataset.view = view;
  byId("library").hidden = view !== "library";
  byId("channel").hidden = view === "library";
  const here = view === "library" ? "library" : search ? "search" : "channel";
  for (const link of document.querySelectorAll("[data-place]")) {
    if (link.dataset.place === here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (view === "library") showLibrary(book);
}

function drawTheme() {
  const wanted = recall("theme", "auto");
  const [sign, words] = { auto: ["◐", "auto"], light: ["☀", "light"], dark: ["☾", "dark"] }[wanted];
  byId("theme").replaceChildren(el("span", { "aria-hidden": "true" }, sign), el("span", { class: "rail-word" }, `Colours: ${words}`));
  byId("theme").setAttribute("aria-label", `Colours: ${words}`);
}

function drawMe() {
  byId("me").replaceChildren(el("span", { "aria-hidden": "true" }, "✎"), el("span", { class: "rail-word" }, recall("name") ? `You are ${myName()}` : "Set your name"));
  byId("me").setAttribute("aria-label", `You are ${myName()}. Change the name others see`);
}

byId("theme").addEventListener("click", () => {
  const order = ["auto", "light", "dark"];
  keep("theme", order[(order.indexOf(recall("theme", "auto")) + 1) % order.length]);
  window.dispatchEvent(new Event("footnote:theme"));
  drawTheme();
});
byId("me").addEventListener("click", async () => {
  const name = await ask({ title: "What shall the others call you?", text: "Your name stands beside what you write.", value: myName(), action: "Save" });
  if (name) keep("name", name);
  drawMe();
});
byId("help").addEventListener("click", help);

async function load() {
  try {
    await loadChannel();
    const { thread: open } = current();
    if (open && known.threads.has(open)) await loadThread(open);
  } catch (error) {
    toast(error.message, { label: "Try again", run: load });
  }
}

startChannel(channel);
const openThreadPane = startThread(thread);
startLibrary();
startSelection(askAbout);
startKeys({ channel, thread, copy, toAbout });
window.addEventListener("hashchange", () => { drawPlace(); drawSide(); });
changes.addEventListener("connected", load);
drawTheme();
drawMe();
drawPlace();
await load();
await openThreadPane();
drawSide();
listen((state) => {
  byId("connection").textContent = state === "open" ? "" : "Not connected. Trying again …";
});
const isTouch = !matchMedia("(hover: hover)").matches;
if (!isTouch && current().view === "channel" && !current().thread && !current().search) channel.focus();
document.body.dataset.ready = "true";
