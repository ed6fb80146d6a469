// What is seen while an answer is on its way: the place in the line, the stage, then the words themselves.

import { call } from "./api.js";
import { announce, el, prose, toast } from "./dom.js";

const STEPS = ["received", "retrieving", "generating", "formatting"];
const WORDS = {
  received: "Reading your question …",
  validated: "Reading your question …",
  retrieving: "Looking it up in the book …",
  generating: "Writing the answer …",
  formatting: "Checking the footnotes …",
  completed: "Done.",
};

function label(progress) {
  const place = progress?.queue_place;
  if (place > 0) return place === 1 ? "One question is before yours …" : `${place} questions are before yours …`;
  return WORDS[progress?.stage] ?? (progress?.text ? WORDS.generating : WORDS.received);
}

export function drawWaiting(question) {
  const node = el("li", { class: "post reply writing", data: { waiting: question.id }, "aria-busy": "true" },
    el("div", { class: "avatar", "aria-hidden": "true" }, el("img", { src: "/static/logo.svg", alt: "" })),
    el("div", { class: "body" },
      el("p", { class: "by" }, el("strong", {}, "Footnote"), el("span", { class: "badge" }, "bot")),
      el("div", { class: "so-far" }),
      el("div", { class: "waiting" },
        el("span", { class: "steps", "aria-hidden": "true" }, STEPS.map(() => el("i"))),
        el("span", { class: "stage" }),
        el("button", { type: "button", class: "quiet", onclick: () => stop(question) }, "Stop"))));
  return node;
}

/** Bring a waiting message up to date; what is already shown is not drawn again. */
export function updateWaiting(node, progress) {
  const words = label(progress);
  const reached = progress?.text ? 2 : Math.max(STEPS.indexOf(progress?.stage), 0);
  node.querySelectorAll(".steps i").forEach((dot, place) => {
    dot.className = place < reached ? "done" : place === reached ? "now" : "";
  });
  const stage = node.querySelector(".stage");
  if (stage.textContent !== words) {
    stage.textContent = words;
    announce(words);
  }
  if (progress?.html) node.querySelector(".so-far").replaceWith(soFar(progress.html));
}

function soFar(html) {
  const node = prose(html);
  node.classList.add("so-far");
  return node;
}

async function stop(question) {
  try {
    await call("POST", `/api/channel/posts/${question.id}/stop`);
  } catch (error) {
    if (error.status !== 404) toast(error.message);
  }
}
