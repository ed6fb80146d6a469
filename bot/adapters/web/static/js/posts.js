// Draws messages: who wrote, what, and what can be done with it.

import { el, prose } from "./dom.js";
import { drawReply } from "./reply.js";
import { known } from "./store.js";
import { atTime, inFull } from "./times.js";

const HUES = 6;
const UNNAMED = "You";

/** One message. *acts* says what happens on reply, copy, thread … in the place where it is shown. */
export function drawPost(post, acts) {
  const body = el("div", { class: "body" }, byline(post));
  if (post.quote) body.append(el("blockquote", { class: "quoted" }, post.quote));
  if (post.passage) body.append(from(post.passage));
  if (post.reply) drawReply(body, post, acts);
  else body.append(prose(post.html, post.passage ? "prose book" : "prose"));
  if (acts.openThread) body.append(glance(post, acts));
  const classes = ["post", post.kind, post.reply?.kind, post.reply?.code && "failed"].filter(Boolean).join(" ");
  return el("li", { class: classes, id: `${acts.place}-${post.id}`, tabindex: "-1", data: { post: post.id } },
    avatar(post), body, actions(post, acts));
}

/** "You" is only ever the reader; others who gave no name are guests. */
function authorName(post) {
  return post.author_name === UNNAMED && post.author_id !== known.me ? "Guest" : post.author_name;
}

function avatar(post) {
  if (post.kind === "reply") {
    return el("div", { class: "avatar", "aria-hidden": "true" }, el("img", { src: "/static/logo.svg", alt: "" }));
  }
  const hue = [...post.author_id].reduce((sum, sign) => sum + sign.codePointAt(0), 0) % HUES;
  return el("div", { class: `avatar hue-${hue}`, "aria-hidden": "true" }, authorName(post).slice(0, 2).toUpperCase());
}

function byline(post) {
  return el("p", { class: "by" },
    el("strong", {}, authorName(post)),
    post.kind === "reply" && el("span", { class: "badge" }, "bot"),
    post.kind === "passage" && el("span", { class: "badge" }, "shared a passage"),
    post.kind === "note" && el("span", { class: "badge" }, "note"),
    el("time", { datetime: post.created_at, title: inFull(post.created_at) }, atTime(post.created_at)));
}

function from(passage) {
  const place = [passage.title, passage.section].filter(Boolean).join(" · ");
  return el("p", { class: "passage-from" }, el("a", { href: passage.url }, place));
}

function glance(post, acts) {
  if (!post.reply_count) {
    if (post.kind !== "question") return null;
    return el("button", { type: "button", class: "glance", onclick: () => acts.openThread(post) }, "Open the thread");
  }
  const words = post.reply_count === 1 ? "1 reply" : `${post.reply_count} replies`;
  return el("button", { type: "button", class: "glance", onclick: () => acts.openThread(post) },
    words, el("span", {}, `last at ${atTime(post.last_reply_at)}`));
}

function actions(post, acts) {
  const button = (label, act, shown) => el("button", { type: "button", onclick: () => act(post), title: shown }, label);
  return el("div", { class: "actions", role: "group", "aria-label": `What to do with the message of ${authorName(post)}` },
    button("Reply", acts.reply, "Ask about this message (r)"),
    acts.openThread && button("Thread", acts.openThread, "Open its thread (Enter)"),
    // Answers carry their own button for it.
    post.reply?.kind !== "answer" && button("Copy", acts.copy, "Copy the text (c)"));
}
