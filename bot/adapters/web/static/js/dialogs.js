// Small windows that ask or explain one thing.

import { COMMANDS } from "./commands.js";
import { byId, el } from "./dom.js";

function open(...content) {
  const dialog = byId("dialog");
  dialog.replaceChildren(...content);
  dialog.showModal();
  return new Promise((resolve) => dialog.addEventListener("close", () => resolve(dialog.returnValue), { once: true }));
}

const closing = (value, label, className) => el("button", { type: "submit", value, class: className }, label);

/** True if the person agrees. */
export async function confirm({ title, text, action }) {
  byId("dialog").returnValue = "";
  const answer = await open(el("form", { method: "dialog" }, el("h2", { id: "dialog-title" }, title), el("p", {}, text),
    el("div", { class: "buttons" }, closing("", "Cancel", "quiet"), closing("yes", action, "primary"))));
  return answer === "yes";
}

/** A line of text, or null. */
export async function ask({ title, text, value, action }) {
  byId("dialog").returnValue = "";
  const input = el("input", { type: "text", value, maxlength: "40", "aria-label": title });
  const answer = await open(el("form", { method: "dialog" }, el("h2", { id: "dialog-title" }, title), el("p", {}, text), input,
    el("div", { class: "buttons" }, el("button", { type: "button", class: "quiet", onclick: () => byId("dialog").close("") }, "Cancel"), closing("yes", action, "primary"))));
  return answer === "yes" ? input.value.trim() : null;
}

const KEYS = [
  ["/", "write, beginning with a command"], ["Ctrl K", "search the books"],
  ["↑ ↓", "go through the messages"], ["Enter", "open the message’s thread"], ["r", "ask about the message"],
  ["c", "copy it"], ["1 … 9", "open that footnote"], ["← →", "the passage before, after"], ["Esc", "close what is open"], ["?", "this help"],
];

export function help() {
  const list = (pairs, tag) => el("dl", {}, pairs.map(([name, about]) => [el("dt", {}, tag ? el("kbd", {}, name) : name), el("dd", {}, about)]));
  return open(el("form", { method: "dialog" }, el("h2", { id: "dialog-title" }, "What Footnote can do"),
    el("p", {}, "Ask in the channel and a thread opens with the answer. Go on in the thread; it knows what was said. Reply to any message, or select words in one, to ask about them. Every number in an answer opens the passage it rests on."),
    list(COMMANDS.map((command) => [command.name, command.about]), false), list(KEYS, true),
    el("div", { class: "buttons" }, closing("", "Close", "primary"))));
}
