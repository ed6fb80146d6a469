// What the page knows of the channel, kept up to date by the server's events.

import { call, get } from "./api.js";

export const changes = new EventTarget();

export const known = {
  book: null,
  books: [],
  hasEarlier: false,
  roots: new Map(),
  threads: new Map(),
  progress: new Map(),
  jobs: new Map(),
};

const tell = (kind, detail = {}) => changes.dispatchEvent(new CustomEvent(kind, { detail }));

export async function loadChannel() {
  const [channel, books] = await Promise.all([get("/api/channel"), get("/api/books")]);
  known.book = channel.book;
  known.books = books;
  known.hasEarlier = channel.has_earlier;
  known.roots = new Map(channel.posts.map((post) => [post.id, post]));
  // What was being written before a break is told anew by the events; anything else is over.
  known.progress.clear();
  tell("channel");
  tell("books");
}

export async function loadEarlier() {
  const first = known.roots.values().next().value;
  const channel = await get(`/api/channel?before=${first.position}`);
  known.hasEarlier = channel.has_earlier;
  known.roots = new Map([...channel.posts.map((post) => [post.id, post]), ...known.roots]);
  tell("channel");
}

export async function loadThread(id) {
  const { posts } = await get(`/api/channel/threads/${encodeURIComponent(id)}`);
  known.threads.set(id, posts);
  tell("thread", { id });
}

export async function loadBooks() {
  known.books = await get("/api/books");
  tell("books");
}

export async function chooseBook(book) {
  await call("PUT", "/api/channel/book", { book });
  known.book = book;
  tell("books");
}

/** Put a post where it belongs; one that is there already is replaced. */
export function addPost(post) {
  if (post.reply) known.progress.delete(post.reply.question_id);
  if (post.id === post.thread) {
    const root = known.roots.get(post.id);
    known.roots.set(post.id, { reply_count: 0, last_reply_at: null, position: Infinity, ...root, ...post });
  } else {
    glance(post);
  }
  const posts = known.threads.get(post.thread);
  if (posts) known.threads.set(post.thread, inserted(posts, post));
  else if (post.id === post.thread) known.threads.set(post.thread, [post]);
  tell("channel");
  tell("thread", { id: post.thread });
}

function inserted(posts, post) {
  const place = posts.findIndex((each) => each.id === post.id);
  return place < 0 ? [...posts, post] : posts.with(place, post);
}

function glance(post) {
  const root = known.roots.get(post.thread);
  const isNew = !(known.threads.get(post.thread) ?? []).some((each) => each.id === post.id);
  if (root && isNew) {
    known.roots.set(root.id, { ...root, reply_count: root.reply_count + 1, last_reply_at: post.created_at });
  }
}

/** Questions of a thread that have no reply yet. */
export function unanswered(posts) {
  const answered = new Set(posts.filter((post) => post.reply).map((post) => post.reply.question_id));
  return posts.filter((post) => post.kind === "question" && !answered.has(post.id));
}

export function dropThread(id) {
  known.roots.delete(id);
  known.threads.delete(id);
  tell("channel");
  tell("forgotten", { id });
}

/** Listen to the server; after every break, all is read anew, so that nothing is missed or doubled. */
export function listen(onState) {
  const source = new EventSource("/api/events");
  const on = (kind, act) => source.addEventListener(kind, (event) => act(JSON.parse(event.data)));
  let wasOpen = false;
  on("ready", () => {
    onState("open");
    if (wasOpen) tell("reconnected");
    wasOpen = true;
  });
  on("post", ({ post }) => addPost(post));
  on("progress", (progress) => {
    const earlier = known.progress.get(progress.question_id);
    known.progress.set(progress.question_id, { ...progress, html: progress.html || earlier?.html });
    tell("progress", progress);
  });
  on("forgotten", ({ thread }) => dropThread(thread));
  on("job", ({ job }) => {
    known.jobs.set(job.job_id, job);
    tell("job", job);
  });
  source.addEventListener("error", () => {
    onState("broken");
    // A server that answered with an error ends the stream for good; begin anew then.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => listen(onState), 2_000);
  });
}
