// What the page knows of the channel, kept up to date by the server's events.

import { call, get } from "./api.js";

export const changes = new EventTarget();

export const known = {
  me: null,
  book: null,
  books: [],
  hasEarlier: false,
  roots: new Map(),
  threads: new Map(),
  progress: new Map(),
  jobs: new Map(),
};

const tell = (kind, detail = {}) => changes.dispatchEvent(new CustomEvent(kind, { detail }));

// How many posts came or went. What was read while it changed is read again: it may be older than the event.
let written = 0;

async function readSteadily(read) {
  for (let tries = 0; ; tries += 1) {
    const before = written;
    const found = await read();
    if (written === before || tries === 5) return found;
  }
}

export async function loadChannel() {
  const [channel, books] = await readSteadily(() => Promise.all([get("/api/channel"), get("/api/books")]));
  known.me = channel.me;
  known.book = channel.book;
  known.books = books;
  known.hasEarlier = channel.has_earlier;
  known.roots = new Map(channel.posts.map((post) => [post.id, post]));
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
  const { posts } = await readSteadily(() => get(`/api/channel/threads/${encodeURIComponent(id)}`));
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

/** Put a post where it belongs; one that is there already is replaced. *glance* is how its thread looks now. */
export function addPost(post, glance = {}) {
  written += 1;
  if (post.reply) known.progress.delete(post.reply.question_id);
  const root = known.roots.get(post.thread);
  if (post.id === post.thread) {
    known.roots.set(post.id, { reply_count: 0, last_reply_at: null, position: Infinity, ...root, ...post, ...glance });
  } else if (root) {
    known.roots.set(root.id, { ...root, ...glance });
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

/** Questions of a thread that have no reply yet. */
export function unanswered(posts) {
  const answered = new Set(posts.filter((post) => post.reply).map((post) => post.reply.question_id));
  return posts.filter((post) => post.kind === "question" && !answered.has(post.id));
}

export function dropThread(id) {
  written += 1;
  known.roots.delete(id);
  known.threads.delete(id);
  tell("channel");
  tell("forgotten", { id });
}

/** Listen to the server; after every break, all is read anew, so that nothing is missed or doubled. */
export function listen(onState) {
  const source = new EventSource("/api/events");
  const on = (kind, act) => source.addEventListener(kind, (event) => act(JSON.parse(event.data)));
  on("ready", () => {
    onState("open");
    tell("connected");
  });
  on("post", ({ post, reply_count, last_reply_at }) => addPost(post, { reply_count, last_reply_at }));
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
