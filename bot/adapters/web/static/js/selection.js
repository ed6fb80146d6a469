// Words selected in a message or a passage can be asked about.

import { byId } from "./dom.js";
import { known } from "./store.js";

const MAX_CHARS = 5000;

/** *ask* gets {text, selection} when a member asks about what is selected. */
export function startSelection(ask) {
  const button = byId("ask-selection");
  const update = () => {
    const found = selected();
    button.hidden = !found;
    if (!found) return;
    const { right, bottom, left, width } = found.range.getBoundingClientRect();
    button.style.left = `${Math.max(8, Math.min(left + width / 2 - 60, innerWidth - 140, right))}px`;
    button.style.top = `${Math.min(bottom + 8, innerHeight - 44)}px`;
  };
  document.addEventListener("selectionchange", update);
  document.addEventListener("scroll", update, { capture: true, passive: true });
  // Pressing it must not take the selection away first.
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", () => {
    const found = selected();
    getSelection().removeAllRanges();
    if (found) ask({ text: found.text, selection: found.selection });
  });
}

function selected() {
  const selection = getSelection();
  const text = selection.toString().trim();
  if (selection.isCollapsed || !text || text.length > MAX_CHARS) return null;
  const range = selection.getRangeAt(0);
  const start = range.startContainer.parentElement;
  const home = start?.closest(".selectable, .post .prose");
  if (!home) return null;
  const post = home.closest(".post");
  const kind = post && [...known.threads.values()].flat().find((each) => each.id === post.dataset.post)?.kind;
  const of = home.dataset.selection ?? (kind === "reply" ? "own_answer" : kind === "passage" ? "book" : "message");
  return { text, range, selection: of };
}
