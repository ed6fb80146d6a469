// The library: what there is to read, what is being taken in, and removing a book.

import { call, get } from "./api.js";
import { confirm } from "./dialogs.js";
import { byId, el, toast } from "./dom.js";
import { drawDrop } from "./drop.js";
import { drawJob } from "./jobs.js";
import { current, go } from "./route.js";
import { changes, known, loadBooks } from "./store.js";
import { inFull } from "./times.js";

export function startLibrary() {
  changes.addEventListener("job", (event) => {
    const isOver = !["queued", "running"].includes(event.detail.status);
    if (isOver) loadBooks().catch(() => {});
    if (current().view === "library" && !current().book) drawJobs();
  });
  changes.addEventListener("books", () => { if (current().view === "library" && !current().book) drawBooks(); });
}

export async function showLibrary(book) {
  const library = byId("library");
  if (book) return showBook(library, book);
  library.replaceChildren(
    el("header", { class: "bar" }, el("h1", { id: "library-name", tabindex: "-1" }, "Library")),
    el("div", { class: "scroll" }, el("div", { class: "inner" },
      drawDrop(),
      el("section", { id: "jobs-part", hidden: true }, el("h2", {}, "Being taken in"), el("ul", { class: "jobs", id: "jobs" })),
      el("section", {}, el("h2", {}, "Books"), el("ul", { class: "books", id: "books" })))));
  drawBooks();
  drawJobs();
  try {
    const jobs = await get("/api/jobs?limit=5");
    for (const job of jobs.reverse()) if (!known.jobs.has(job.job_id) && ["queued", "running"].includes(job.status)) known.jobs.set(job.job_id, job);
    drawJobs();
    await loadBooks();
  } catch (error) {
    toast(error.message);
  }
}

function drawJobs() {
  const list = byId("jobs");
  if (!list) return;
  const jobs = [...known.jobs.values()].sort((one, other) => other.job_id - one.job_id).slice(0, 5);
  byId("jobs-part").hidden = !jobs.length;
  list.replaceChildren(...jobs.map(drawJob));
}

function drawBooks() {
  const list = byId("books");
  if (!list) return;
  list.replaceChildren(...(known.books.length ? known.books.map(drawCard)
    : [el("li", { class: "empty" }, "No book yet. Drop one above.")]));
}

function drawCard(book) {
  const pending = book.pending_count ? ` · ${book.pending_count} found by words only for now` : "";
  return el("li", { class: "book-card" },
    el("header", {}, el("strong", {}, el("a", { href: `#/library/${encodeURIComponent(book.id)}` }, book.title)),
      el("button", { type: "button", class: "quiet danger", onclick: () => remove(book) }, "Remove")),
    el("p", {}, `${book.lesson_count} lessons · ${book.chunk_count} passages${pending} · updated ${inFull(book.updated_at)}`));
}

async function remove(book) {
  const isSure = await confirm({ title: `Remove “${book.title}”?`, text: "Answers can no longer come from it, and footnotes that led to it lead nowhere. You can add it again.", action: "Remove it" });
  if (!isSure) return;
  try {
    await call("DELETE", `/api/books/${encodeURIComponent(book.id)}`);
    toast(`“${book.title}” was removed.`);
    await loadBooks();
    if (current().book) go("#/library");
  } catch (error) {
    toast(error.message);
  }
}

async function showBook(library, id) {
  library.replaceChildren(el("header", { class: "bar" },
    el("button", { type: "button", class: "icon back", "aria-label": "Back to the library", onclick: () => go("#/library") }),
    el("h1", { id: "library-name", tabindex: "-1" }, id)), el("div", { class: "scroll" }));
  const scroll = library.querySelector(".scroll");
  try {
    const book = await get(`/api/books/${encodeURIComponent(id)}`);
    library.querySelector("h1").textContent = book.title;
    scroll.replaceChildren(el("div", { class: "inner outline" },
      el("div", { class: "outline-head" }, `${book.lesson_count} lessons · ${book.chunk_count} passages`, el("span", { class: "spacer" }),
        el("button", { type: "button", class: "quiet danger", onclick: () => remove(book) }, "Remove")),
      book.last_job && el("ul", { class: "jobs" }, drawJob(book.last_job)), drawRemarks(book.remarks), ...outline(book.lessons)));
  } catch (error) {
    scroll.replaceChildren(el("div", { class: "inner" }, el("div", { class: "problem" }, el("p", {}, error.message),
      el("button", { type: "button", class: "quiet", onclick: () => showBook(library, id) }, "Try again"))));
  }
}

function drawRemarks(remarks) {
  if (!remarks.length) return null;
  return el("details", { class: "remarks" }, el("summary", {}, remarks.length === 1 ? "1 thing was noticed in its files" : `${remarks.length} things were noticed in its files`),
    el("ul", {}, remarks.map((each) => el("li", {}, el("b", {}, each.source_file), ` – ${each.message}`))));
}

function outline(lessons) {
  const parts = [];
  let module = null;
  let chapter = null;
  let list = null;
  for (const lesson of lessons) {
    // "main" is what a lesson outside of any module is filed under; nobody calls it that.
    if (lesson.module !== module && lesson.module !== "main") parts.push(el("h3", {}, lesson.module));
    if (lesson.module !== module || lesson.chapter !== chapter) {
      if (lesson.chapter) parts.push(el("h4", {}, `Chapter ${lesson.chapter}`));
      list = el("ul");
      parts.push(list);
    }
    ({ module, chapter } = lesson);
    list.append(el("li", {}, el("a", { href: lesson.read_at }, lesson.title,
      el("span", {}, lesson.chunk_count === 1 ? "1 passage" : `${lesson.chunk_count} passages`))));
  }
  return parts;
}
