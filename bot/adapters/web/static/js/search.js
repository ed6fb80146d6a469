// The search: a query with filters, ranked passages that only this member sees, each of which can be shared.

import { get } from "./api.js";
import { sharePassage } from "./asking.js";
import { toSearch } from "./commands.js";
import { announce, el, prose } from "./dom.js";
import { bar } from "./passage.js";
import { current, openPassage, openSearch } from "./route.js";
import { known } from "./store.js";

const FIELDS = ["book", "module", "chapter_min", "chapter_max", "lesson", "level", "tier", "layer", "limit"];

export async function showSearch(side, ask) {
  const asked = current().search;
  const results = el("div", { class: "inner" });
  side.replaceChildren(bar("Search the books"), form(asked), el("div", { class: "scroll" }, results));
  const input = side.querySelector("input[type=search]");
  const query = asked.get("search").trim();
  if (!query) {
    input.focus();
    results.append(el("p", { class: "empty" }, "Passages come best first, and only you see them. Share one to show it to the channel."));
    return;
  }
  if (matchMedia("(hover: hover)").matches) input.focus();
  await run(asked, query, results, ask);
}

async function run(asked, query, results, ask) {
  results.replaceChildren(el("p", { class: "found" }, "Looking …"));
  const params = new URLSearchParams({ q: query });
  for (const [name, value] of asked) if (name !== "search" && value) params.append(name, value);
  try {
    const found = await get(`/api/search?${params}`);
    if (current().search?.toString() !== asked.toString()) return;
    const words = found.results.length ? `${found.results.length} of ${found.total_found} passages` : "Nothing was found.";
    results.replaceChildren(el("p", { class: "found" }, words), found.results.length
      ? el("ol", { class: "hits", "aria-label": "Passages found" }, found.results.map((hit) => drawHit(hit, ask)))
      : el("p", { class: "empty" }, "Try other words, or take a filter away."));
    announce(words);
  } catch (error) {
    results.replaceChildren(el("div", { class: "problem", role: "alert" }, el("p", {}, error.message),
      el("button", { type: "button", class: "quiet", onclick: () => run(asked, query, results, ask) }, "Try again")));
  }
}

function drawHit(hit, ask) {
  const words = prose(hit.html, "prose book selectable");
  words.dataset.selection = "book";
  const title = [hit.page_title, hit.section_title].filter((part, place, all) => part && all.indexOf(part) === place).join(" · ");
  return el("li", { class: "hit" },
    el("p", { class: "crumb" }, hit.breadcrumb),
    el("h4", {}, el("button", { type: "button", onclick: () => openPassage(hit.chunk_id) }, title)),
    words,
    el("div", { class: "foot" },
      el("span", { class: "score" }, el("meter", { min: "0", max: "1", value: String(hit.score), "aria-label": "How well it fits" }), `${Math.round(hit.score * 100)} in 100`),
      el("button", { type: "button", class: "quiet", onclick: () => ask({ text: hit.text.trim().slice(0, 5000), selection: "book" }) }, "Ask about this"),
      el("button", { type: "button", class: "quiet", onclick: () => sharePassage(hit.chunk_id) }, "Share")));
}

function form(asked) {
  const select = (name, label, options) => field(label, el("select", { name },
    el("option", { value: "" }, "any"), ...options.map(([value, words]) => el("option", { value, selected: asked.getAll(name).includes(value) }, words))));
  const number = (name, label, min, max) => field(label, el("input", { type: "number", name, min, max, value: asked.get(name) ?? "" }));
  const filters = el("fieldset", { id: "filters", hidden: !FIELDS.some((name) => asked.get(name)) },
    select("book", "Book", known.books.map((book) => [book.id, book.title])),
    field("Module", el("input", { type: "text", name: "module", value: asked.get("module") ?? "" })),
    number("chapter_min", "From chapter", 0), number("chapter_max", "To chapter", 0), number("lesson", "Lesson", 0),
    select("level", "Level", ["A1", "A2", "B1", "B2", "C1", "C2"].map((each) => [each, each])),
    select("tier", "Hardware up to tier", ["1", "2", "3", "4"].map((each) => [each, each])),
    select("layer", "Layer", ["L1", "L2", "L3", "L4"].map((each) => [each, each])),
    number("limit", "How many", 1, 20));
  const toggle = el("button", { type: "button", class: "quiet", "aria-expanded": String(!filters.hidden), "aria-controls": "filters" }, "Filters");
  toggle.addEventListener("click", () => {
    filters.hidden = !filters.hidden;
    toggle.setAttribute("aria-expanded", String(!filters.hidden));
  });
  return el("form", { class: "search-form", role: "search", onsubmit },
    el("div", { class: "line" },
      el("input", { type: "search", name: "search", value: asked.get("search"), "aria-label": "What to look for", placeholder: "Words, or a question", minlength: "3" }),
      toggle, el("button", { type: "submit", class: "primary" }, "Search")),
    filters);
}

const field = (label, control) => el("label", {}, label, control);

function onsubmit(event) {
  event.preventDefault();
  const given = new FormData(event.currentTarget);
  const params = toSearch(given.get("search"));
  for (const name of FIELDS) if (given.get(name) && !params.has(name)) params.set(name, given.get(name));
  openSearch(params);
}
