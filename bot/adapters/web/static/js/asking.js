// Sending what members write, and doing things with messages.

import { call } from "./api.js";
import { newId, toast } from "./dom.js";
import { myName } from "./memory.js";
import { asMarkdown } from "./reply.js";
import { openThread } from "./route.js";
import { addPost, known } from "./store.js";

/** Send a message; a retry after a failure carries the same id, so that it never stands there twice. */
export async function send({ text, thread = null, about = null, asks = true, filters = {}, id = newId() }) {
  const post = await call("POST", "/api/channel/posts", {
    id, text, thread, asks, filters,
    quote: about?.text ?? null,
    selection: about?.selection ?? "message",
    member_name: myName(),
  });
  addPost(post);
  if (!thread) openThread(post.id);
  return post;
}

/** Ask the question of *reply* once more, in the same thread. */
export async function again(reply) {
  const posts = known.threads.get(reply.thread) ?? [];
  const question = posts.find((post) => post.id === reply.reply.question_id);
  if (!question) return;
  const about = question.quote ? { text: question.quote } : null;
  try {
    await send({ text: question.text, thread: reply.thread, about });
  } catch (error) {
    toast(error.message, { label: "Try again", run: () => again(reply) });
  }
}

export async function copy(post) {
  try {
    await navigator.clipboard.writeText(asMarkdown(post));
    toast("Copied.");
  } catch {
    toast("The browser did not allow copying. Select the text instead.");
  }
}

export async function sharePassage(chunkId) {
  try {
    const post = await call("POST", "/api/channel/passages", { id: newId(), chunk_id: chunkId, member_name: myName() });
    addPost(post);
    toast("Shared with the channel.", { label: "Show it", run: () => openThread(post.id) });
  } catch (error) {
    toast(error.message);
  }
}

/** What a message becomes when somebody asks about it. */
export function toAbout(post) {
  const selection = post.kind === "reply" ? "own_answer" : post.kind === "passage" ? "book" : "message";
  return { text: post.text, selection };
}
