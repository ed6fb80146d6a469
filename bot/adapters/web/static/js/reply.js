// The bot's own messages: the answer with its marks, the sources, how sure it is, and what can be done next.

import { call } from "./api.js";
import { el, prose, toast } from "./dom.js";
import { keep, recall } from "./memory.js";
import { openPassage } from "./route.js";

const TRUST = {
  high: ["Well supported", "Several passages of the book say this clearly. Each number leads to the words it rests on."],
  medium: ["Supported", "The book says this, in a few passages. Each number leads to the words it rests on."],
  low: ["Thinly supported", "Little in the book speaks about this, so read the passages before you rely on it."],
  insufficient: ["Not in the book", "Nothing in the book comes close enough to answer from, and Footnote does not guess."],
};

export function drawReply(body, post, acts) {
  const { reply } = post;
  const words = prose(post.html);
  words.addEventListener("click", (event) => {
    const mark = event.target.closest(".mark");
    if (mark) openFootnote(post, Number(mark.dataset.number));
  });
  body.append(words);
  if (reply.notes.length) body.append(el("ul", { class: "notes" }, reply.notes.map((note) => el("li", {}, note))));
  if (reply.footnotes.length) body.append(sources(post));
  if (reply.nearest.length) body.append(nearest(reply));
  body.append(after(post, acts));
}

export function openFootnote(post, number) {
  const footnote = post.reply.footnotes.find((each) => each.number === number);
  if (footnote) openPassage(footnote.chunk_id, { answer: post.id, number });
}

function place(source) {
  return [el("b", {}, source.title), source.section && source.section !== source.title ? ` · ${source.section}` : ""];
}

/** One line for each section, however many footnotes lead to it. */
function sources(post) {
  const sections = Map.groupBy(post.reply.footnotes, (footnote) => `${footnote.breadcrumb}\n${footnote.section}`);
  const open = (footnote) => () => openFootnote(post, footnote.number);
  return el("ol", { class: "sources", "aria-label": "Sources" }, [...sections.values()].map((footnotes) => el("li", {},
    footnotes.map((footnote) => el("button", { type: "button", class: "number", "aria-label": `Source ${footnote.number}`, onclick: open(footnote) }, String(footnote.number))),
    el("button", { type: "button", onclick: open(footnotes[0]), title: footnotes[0].breadcrumb }, el("span", {}, place(footnotes[0]))))));
}

function nearest(reply) {
  return el("div", { class: "nearest" }, el("p", {}, "The closest the book comes:"),
    el("ul", {}, reply.nearest.map((near) => el("li", {},
      el("button", { type: "button", onclick: () => openPassage(near.chunk_id) }, "→", el("span", {}, place(near)))))));
}

function after(post, acts) {
  const { reply } = post;
  const button = (label, act) => el("button", { type: "button", class: "quiet", onclick: () => act(post) }, label);
  if (reply.kind === "notice") {
    const wait = reply.retry_after ? ` (best in ${reply.retry_after} s)` : "";
    return el("div", { class: "after" }, button(`Try again${wait}`, acts.again));
  }
  const [level, why] = trust(reply);
  return el("div", { class: "after" }, level,
    vote(reply, "up", "👍", "This helped"), vote(reply, "down", "👎", "This did not help"),
    button("Ask again", acts.again), reply.kind === "answer" && button("Copy", acts.copy), why);
}

function trust(reply) {
  const [label, why] = TRUST[reply.confidence_level] ?? TRUST.insufficient;
  const explanation = el("p", { class: "why", hidden: true }, why,
    reply.kind === "answer" ? ` Estimated chance that it is right: ${Math.round(reply.confidence * 100)} in 100.` : "");
  const button = el("button", { type: "button", class: `trust ${reply.confidence_level}`, "aria-expanded": "false",
    title: "What this means" }, label);
  button.addEventListener("click", () => {
    explanation.hidden = !explanation.hidden;
    button.setAttribute("aria-expanded", String(!explanation.hidden));
  });
  return [button, explanation];
}

function vote(reply, verdict, sign, label) {
  const key = `vote.${reply.handle}`;
  const button = el("button", { type: "button", class: "vote", "aria-label": label, title: label,
    "aria-pressed": String(recall(key) === verdict), data: { verdict } }, sign);
  button.addEventListener("click", async () => {
    try {
      await call("POST", "/api/feedback", { handle: reply.handle, verdict });
      keep(key, verdict);
      for (const each of button.parentElement.querySelectorAll(".vote")) {
        each.setAttribute("aria-pressed", String(each === button));
      }
      toast(verdict === "up" ? "Thank you, noted." : "Thank you, noted. It will show up in the group’s report.");
    } catch (error) {
      toast(error.message);
    }
  });
  return button;
}

/** An answer as Markdown, with its sources below, for pasting elsewhere. */
export function asMarkdown(post) {
  const sources = (post.reply?.footnotes ?? []).map((footnote) => {
    const address = new URL(footnote.url, location.href).href;
    return `[${footnote.number}] ${footnote.title}${footnote.section ? ` · ${footnote.section}` : ""} – ${address}`;
  });
  return sources.length ? `${post.text}\n\n${sources.join("\n")}` : post.text;
}
