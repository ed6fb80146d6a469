// The list of what may be meant, above the input: arrows choose, Tab or Enter takes, Escape closes.

import { complete } from "./commands.js";
import { announce, el } from "./dom.js";

export class Completions {
  constructor(input, host, name) {
    this.input = input;
    this.list = el("ul", { class: "completions", role: "listbox", id: `${name}-completions`, "aria-label": "Suggestions", hidden: true });
    host.append(this.list);
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-haspopup", "listbox");
    input.setAttribute("aria-controls", this.list.id);
    this.close();
  }

  get isOpen() {
    return !this.list.hidden;
  }

  get typed() {
    return this.input.value.slice(0, this.input.selectionStart);
  }

  /** Bring the list in step with the text; resolves when it is, or when a newer text took over. */
  update() {
    this.updating = this.refresh(this.typed);
    return this.updating;
  }

  async refresh(typed) {
    if (!typed.startsWith("/")) return this.close();
    const { replaces, options } = await complete(typed).catch(() => ({ options: [] }));
    if (typed !== this.typed) return;
    this.listed = typed;
    if (!options.length) return this.close();
    this.replaces = replaces;
    this.options = options;
    this.list.replaceChildren(...options.map((option, place) => this.draw(option, place)));
    this.list.hidden = false;
    announce(options.length === 1 ? "One suggestion: arrows choose, Tab takes." : `${options.length} suggestions: arrows choose, Tab takes.`);
    this.choose(typed.includes(" ") && !replaces ? -1 : 0);
  }

  draw(option, place) {
    return el("li", { role: "option", id: `${this.list.id}-${place}`, onmousedown: (event) => { event.preventDefault(); this.take(place); } },
      el("code", {}, option.label), option.about !== option.label && el("span", {}, option.about));
  }

  choose(place) {
    this.chosen = place;
    [...this.list.children].forEach((node, each) => node.setAttribute("aria-selected", String(each === place)));
    if (place < 0) this.input.removeAttribute("aria-activedescendant");
    else {
      this.input.setAttribute("aria-activedescendant", `${this.list.id}-${place}`);
      this.list.children[place].scrollIntoView({ block: "nearest" });
    }
  }

  take(place) {
    const end = this.input.selectionStart;
    const start = end - this.replaces;
    this.input.setRangeText(this.options[place].insert, start, end, "end");
    this.close();
    this.input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  close() {
    this.list.hidden = true;
    this.list.replaceChildren();
    this.chosen = -1;
    this.input.removeAttribute("aria-activedescendant");
  }

  /** Take what fits the text as it is now; a list that is still on its way is waited for. */
  async takeFitting() {
    if (this.listed !== this.typed) await this.updating;
    if (this.isOpen && this.listed === this.typed) this.take(Math.max(this.chosen, 0));
  }

  /** True if the key was for the list. */
  onKey(event) {
    const isTab = event.key === "Tab" && !event.shiftKey;
    const isOnItsWay = this.typed.startsWith("/") && this.listed !== this.typed;
    if (isTab && (this.isOpen || isOnItsWay)) {
      event.preventDefault();
      this.takeFitting();
      return true;
    }
    if (!this.isOpen) return false;
    const count = this.list.children.length;
    const isTaken = this.chosen >= 0 && this.isPartial;
    if (event.key === "ArrowDown") this.choose((this.chosen + 1) % count);
    else if (event.key === "ArrowUp") this.choose((this.chosen - 1 + count) % count);
    else if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && !event.shiftKey && isTaken) this.take(this.chosen);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  /** Enter sends what is whole already, and completes what is not. */
  get isPartial() {
    const typed = this.input.value.slice(0, this.input.selectionStart);
    const option = this.options[this.chosen];
    const isWhole = typed.slice(typed.length - this.replaces) === option.insert.trim();
    return this.replaces > 0 && !isWhole;
  }
}
