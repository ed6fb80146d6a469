// A passage beside the conversation: its words, the supporting ones marked, and the way to its neighbours.

import { get } from "./api.js";
import { sharePassage } from "./asking.js";
import { announce, byId, el, prose } from "./dom.js";
import { closeSide, current, openPassage } from "./route.js";
import { known } from "./store.js";

export async function showPassage(side, ask) {
  const { passage, answer, number, thread } = current();
  const post = (known.threads.get(thread) ?? []).find((each) => each.id === answer);
  const footnote = post?.reply?.footnotes.find((each) => String(each.number) === number);
  mark(answer, number);
  try {
    const asked = new URLSearchParams({ quote: footnote?.quote ?? "" });
    const found = await get(`/api/passages/${encodeURIComponent(passage)}?${asked}`);
    if (current().passage !== passage) return;
    side.replaceChildren(...draw(found, footnote, ask));
    const words = side.querySelector("mark");
    if (words) words.scrollIntoView({ block: "center" });
    side.querySelector("h2").focus({ preventScroll: true });
    announce(`Passage: ${found.title}`);
  } catch (error) {
    side.replaceChildren(bar("Passage"), el("div", { class: "inner" }, el("div", { class: "problem" }, el("p", {}, error.message),
      el("button", { type: "button", class: "quiet", onclick: () => showPassage(side, ask) }, "Try again"))));
  }
}

function mark(answer, number) {
  for (const each of document.querySelectorAll(".mark[aria-expanded]")) each.removeAttribute("aria-expanded");
  const post = answer && byId(`thread-${answer}`);
  post?.querySelectorAll(`.mark[data-number="${number}"]`).forEach((each) => each.setAttribute("aria-expanded", "true"));
}

export function bar(title) {
  return el("header", { class: "bar" }, el("h2", { tabindex: "-1" }, title),
    el("button", { type: "button", class: "icon close", "aria-label": "Close", onclick: closeSide }));
}

function draw(found, footnote, ask) {
  const step = (id, label, key) => el("button", { type: "button", class: "quiet", disabled: !id, data: { step: key }, onclick: () => openPassage(id) }, label);
  const words = prose(found.html, "prose book selectable");
  words.dataset.selection = "book";
  return [
    bar(footnote ? `Footnote ${footnote.number}` : "Passage"),
    el("div", { class: "scroll" }, el("div", { class: "inner" },
      el("p", { class: "crumb" }, found.breadcrumb),
      el("h3", {}, found.title),
      found.section && found.section !== found.title && el("p", { class: "section" }, found.section),
      words,
      el("div", { class: "pager" },
        step(found.previous_id, "← Before", "before"),
        el("span", { class: "place" }, `Passage ${found.position} of ${found.total}`),
        step(found.next_id, "After →", "after"),
        el("span", { class: "spacer" }),
        el("button", { type: "button", class: "quiet", onclick: () => ask({ text: found.text.trim().slice(0, 5000), selection: "book" }) }, "Ask about this"),
        el("button", { type: "button", class: "quiet", onclick: () => sharePassage(found.chunk_id) }, "Share"),
        el("a", { class: "quiet", href: found.url, target: "_blank", rel: "noopener" }, "Read in the book")))),
  ];
}
