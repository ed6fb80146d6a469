// Making elements. Text is always text; HTML comes only from our own server, rendered there from Markdown.

const policy = window.trustedTypes?.createPolicy("footnote", { createHTML: (html) => html });

/** An element with attributes, listeners (on…) and children; null and false children are left out. */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.className = value;
    else if (name === "value") node.value = value;
    else if (name === "data") Object.assign(node.dataset, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** A block of words that our server rendered. */
export function prose(html, className = "prose") {
  const node = el("div", { class: className });
  node.innerHTML = policy ? policy.createHTML(html) : html;
  return node;
}

export const byId = (id) => document.getElementById(id);

let toldLast = "";

/** Tells screen readers something that is seen elsewhere; the same words twice in a row are told once. */
export function announce(words) {
  if (words === toldLast) return;
  toldLast = words;
  byId("announcer").textContent = words;
}

/** A short message in the corner, with at most one thing to do about it. */
export function toast(words, action = null) {
  const node = el("div", { class: "toast" }, el("span", {}, words));
  if (action) {
    node.append(el("button", { type: "button", onclick: () => { node.remove(); action.run(); } }, action.label));
  }
  byId("toasts").append(node);
  setTimeout(() => node.remove(), action ? 12_000 : 5_000);
}

/** 32 hex digits that nobody else has. */
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
