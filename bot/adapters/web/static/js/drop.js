// Adding a book: files dropped or chosen, a title, and up it goes.

import { upload } from "./api.js";
import { el, toast } from "./dom.js";
import { changes, known } from "./store.js";

const KINDS = ".md,.mdx,.markdown,.txt,.text,.rst,.html,.htm,.xhtml,.epub,.pdf,.zip";

export function drawDrop() {
  const zone = el("div", { class: "drop" });
  const offer = () => zone.replaceChildren(...invitation((files) => prepare(zone, files, offer)));
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", async (event) => {
    event.preventDefault();
    zone.classList.remove("over");
    const files = await dropped(event.dataTransfer);
    if (files.length) prepare(zone, files, offer);
  });
  offer();
  return zone;
}

function invitation(onFiles) {
  const chosen = (event) => {
    const files = [...event.target.files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
    if (files.length) onFiles(files);
  };
  const files = el("input", { type: "file", multiple: true, accept: KINDS, hidden: true, onchange: chosen, id: "book-files" });
  const folder = el("input", { type: "file", webkitdirectory: true, hidden: true, onchange: chosen });
  return [
    el("strong", {}, "Add a book"),
    el("p", {}, "Drop files or a folder here: Markdown, text, HTML, EPUB, PDF, or a zip of these."),
    el("div", { class: "choices" },
      el("button", { type: "button", class: "primary", onclick: () => files.click() }, "Choose files"),
      el("button", { type: "button", class: "quiet", onclick: () => folder.click() }, "Choose a folder"), files, folder),
  ];
}

/** Files of a drop, folders opened. */
async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  const found = [];
  const walk = async (entry) => {
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
      found.push({ file, path: entry.fullPath.replace(/^\//, "") });
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!batch.length) break;
      for (const each of batch) await walk(each);
    }
  };
  for (const entry of entries) await walk(entry);
  return found.length ? found : [...transfer.files].map((file) => ({ file, path: file.name }));
}

const READABLE = /\.(mdx?|markdown|te?xt|rst|x?html?|epub|pdf|zip|json|ya?ml|toml)$/i;
const MAX_FILES = 1000;
const MAX_BYTES = 300_000_000;
const isHidden = (path) => path.split("/").some((part) => part.startsWith(".") || part === "node_modules");

function prepare(zone, all, offer) {
  const files = all.filter(({ path }) => READABLE.test(path) && !isHidden(path));
  if (!files.length) {
    toast("There is no book file among these. Markdown, text, HTML, EPUB, PDF and zip can be read.");
    return;
  }
  if (files.length > MAX_FILES) {
    toast(`These are ${files.length} files; at most ${MAX_FILES} can be sent at once. Send them as a zip.`);
    return;
  }
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (bytes > MAX_BYTES) {
    toast(`These are ${Math.ceil(bytes / 1e6)} MB; at most ${MAX_BYTES / 1e6} MB can be sent at once.`);
    return;
  }
  const first = files[0].path;
  const guess = (first.includes("/") ? first.split("/")[0] : first.replace(/\.\w+$/, "")).replaceAll(/[_-]+/g, " ");
  const title = el("input", { type: "text", name: "title", required: true, maxlength: "120", value: guess });
  const site = el("input", { type: "url", name: "base_url", placeholder: "https://… if it is published somewhere" });
  const problem = el("p", { class: "problem", role: "alert", hidden: true });
  const left = all.length - files.length;
  const count = `${files.length === 1 ? first : `${files.length} files`}${left ? `; ${left} of other kinds are left out` : ""}`;
  const button = el("button", { type: "submit", class: "primary" }, "Add this book");
  const form = el("form", { onsubmit: (event) => { event.preventDefault(); send({ files, title, site, button, problem, offer }); } },
    el("p", {}, count), el("label", {}, "Title", title), el("label", {}, "Its address on the web (optional)", site), problem,
    el("div", { class: "buttons" }, el("button", { type: "button", class: "quiet", onclick: offer }, "Cancel"), button));
  zone.replaceChildren(form);
  title.select();
}

async function send({ files, title, site, button, problem, offer }) {
  const form = new FormData();
  form.set("title", title.value);
  if (site.value) form.set("base_url", site.value);
  // A folder that was dropped is the book itself: its own name is no part of any path in it.
  const tops = new Set(files.map(({ path }) => path.split("/")[0]));
  const hasOneTop = tops.size === 1 && files.every(({ path }) => path.includes("/"));
  for (const { file, path } of files) form.append("files", file, hasOneTop ? path.split("/").slice(1).join("/") : path);
  button.disabled = true;
  problem.hidden = true;
  try {
    const job = await upload(form, (share) => { button.textContent = `Sending ${Math.round(share * 100)} %`; });
    known.jobs.set(job.job_id, job);
    offer();
    changes.dispatchEvent(new CustomEvent("job", { detail: job }));
  } catch (error) {
    button.disabled = false;
    button.textContent = "Add this book";
    problem.textContent = error.message;
    problem.hidden = false;
  }
}
