// Slash commands: what there is, what may be completed, and the filters a search understands.

import { get } from "./api.js";
import { known } from "./store.js";

export const COMMANDS = [
  { name: "/search", usage: "/search words  module:… chapter:2-4", about: "find passages, only you see them" },
  { name: "/ask", usage: "/ask question", about: "the same as writing it" },
  { name: "/note", usage: "/note words", about: "say something without asking" },
  { name: "/book", usage: "/book name", about: "answer from one book, or “all”" },
  { name: "/library", usage: "/library", about: "books: read, add, remove" },
  { name: "/forget", usage: "/forget", about: "delete this thread for good" },
  { name: "/help", usage: "/help", about: "what Footnote can do, and the keys" },
];

export const FILTERS = {
  book: { about: "one book", values: async () => known.books.map((book) => [book.id, book.title]) },
  module: { about: "a part of the book", values: (typed) => suggest("module", typed) },
  chapter: { about: "one, or from–to: 2-4", values: (typed) => suggest("chapter", typed) },
  lesson: { about: "a lesson’s number", values: (typed) => suggest("lesson", typed) },
  level: { about: "A1 to C2, several by comma", values: async () => ["A1", "A2", "B1", "B2", "C1", "C2"].map((each) => [each, ""]) },
  tier: { about: "hardware up to 1–4", values: async () => ["1", "2", "3", "4"].map((each) => [each, ""]) },
  layer: { about: "L1 to L4", values: async () => ["L1", "L2", "L3", "L4"].map((each) => [each, ""]) },
  limit: { about: "how many, 1–20", values: async () => [] },
};

async function suggest(kind, typed) {
  const asked = new URLSearchParams({ kind, prefix: typed });
  return (await get(`/api/suggest?${asked}`)).map((each) => [each.value, each.label]);
}

/** "/search topics module:ros2 chapter:2-4" → what the search panel and the API take. */
export function toSearch(words) {
  const found = new URLSearchParams();
  const rest = words.replace(/(^|\s)(book|module|chapter|lesson|level|tier|layer|limit):(\S+)/gi, (_, space, name, value) => {
    const key = name.toLowerCase();
    if (key === "chapter") {
      const [from, to = from] = value.split("-");
      found.set("chapter_min", from);
      found.set("chapter_max", to);
    } else if (key === "level") {
      for (const each of value.split(",")) found.append("level", each.toUpperCase());
    } else {
      found.set(key, key === "layer" ? value.toUpperCase() : value);
    }
    return space;
  });
  found.set("search", rest.trim().replace(/\s+/g, " "));
  return found;
}

/** What could come where the cursor stands: [{insert, label, about}], and the length of what it replaces. */
export async function complete(text) {
  if (/^\/\w*$/.test(text)) {
    const fitting = COMMANDS.filter((command) => command.name.startsWith(text));
    return { replaces: text.length, options: fitting.map((each) => ({ insert: `${each.name} `, label: each.usage, about: each.about })) };
  }
  const book = /^\/book\s+(.*)$/.exec(text);
  if (book) return { replaces: book[1].length, options: bookOptions(book[1]) };
  const search = /^\/search\s(?:.*\s)?(\S*)$/s.exec(text);
  return search ? completeFilter(search[1]) : { replaces: 0, options: [] };
}

function bookOptions(typed) {
  const all = [["all", "all books"], ...known.books.map((book) => [book.id, book.title])];
  return all.filter(([id]) => id.startsWith(typed) && id !== typed).map(([id, title]) => ({ insert: id, label: id, about: title }));
}

async function completeFilter(word) {
  const [name, typed] = word.split(":");
  if (typed !== undefined && FILTERS[name]) {
    const values = await FILTERS[name].values(typed);
    const fitting = values.filter(([value, label]) => `${value} ${label}`.toLowerCase().includes(typed.toLowerCase()) && value !== typed);
    return { replaces: typed.length, options: fitting.slice(0, 8).map(([value, label]) => ({ insert: `${value} `, label: value, about: label })) };
  }
  const fitting = Object.entries(FILTERS).filter(([filter]) => filter.startsWith(word));
  // Suggesting filters after every word would be in the way; they come once a letter fits or after a space.
  return { replaces: word.length, options: fitting.map(([filter, { about }]) => ({ insert: `${filter}:`, label: `${filter}:`, about })) };
}
