// What is open stands in the address after the #, so that "back", a reload and a bookmark all work.
//   #/channel   #/thread/ID   #/library   #/library/BOOK      ?passage=ID&answer=ID&n=1   ?search=words   ?help

export function current() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [view = "channel", id] = path.split("/").map(decodeURIComponent);
  const asked = new URLSearchParams(query);
  return {
    view: view === "library" ? "library" : "channel",
    thread: view === "thread" ? id : null,
    book: view === "library" ? id ?? null : null,
    passage: asked.get("passage"),
    answer: asked.get("answer"),
    number: asked.get("n"),
    search: asked.has("search") ? asked : null,
  };
}

export function go(hash) {
  if (location.hash !== hash) history.pushState(null, "", hash);
  // Told at once, which setting the hash would not do: what is typed next belongs to what was opened.
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

const base = () => {
  const { thread } = current();
  return thread ? `#/thread/${thread}` : "#/channel";
};

export const openChannel = () => go("#/channel");
export const openThread = (id) => go(`#/thread/${id}`);
export const closeSide = () => go(base());
export const openSearch = (params = new URLSearchParams({ search: "" })) => go(`${base()}?${params}`);

/** A passage beside the conversation; *from* names the answer and the footnote whose words are marked. */
export function openPassage(chunkId, from = null) {
  const asked = new URLSearchParams({ passage: chunkId });
  if (from) {
    asked.set("answer", from.answer);
    asked.set("n", from.number);
  }
  go(`${base()}?${asked}`);
}
