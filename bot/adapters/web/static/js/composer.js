// Where members write: a text, perhaps about a quoted message, perhaps a command.

import { Completions } from "./completions.js";
import { el, newId } from "./dom.js";

const MAX_CHARS = 2000;
const TELL_FROM = 1700;

export class Composer {
  /** *onSend*({text, about, asks, id}) sends; what it rejects stays in the input. */
  constructor(host, { name, placeholder, onSend, onCommand }) {
    this.name = name;
    this.onSend = onSend;
    this.onCommand = onCommand;
    this.about = null;
    this.sendId = newId();
    this.quote = el("div", { class: "about", hidden: true });
    this.input = el("textarea", { id: `${name}-input`, rows: "1", placeholder, "aria-label": placeholder, "aria-describedby": `${name}-hint`, enterkeyhint: "send" });
    this.asks = el("input", { type: "checkbox", checked: true });
    this.hint = el("p", { class: "hint", id: `${name}-hint` });
    this.button = el("button", { type: "submit", class: "primary" }, "Send");
    this.form = el("form", { class: "composer", onsubmit: (event) => { event.preventDefault(); this.submit(); } },
      this.quote, this.input,
      el("div", { class: "foot" }, this.hint,
        el("label", { class: "mode", title: "Off: only say it to the group, without an answer" }, this.asks, "Ask Footnote"), this.button));
    host.append(this.form);
    this.completions = new Completions(this.input, this.form, name);
    this.input.addEventListener("input", () => this.onInput());
    this.input.addEventListener("keydown", (event) => this.onKey(event));
    this.input.addEventListener("blur", () => this.completions.close());
    this.tell();
  }

  focus() {
    this.input.focus();
  }

  clear() {
    this.input.value = "";
    this.setAbout(null);
    this.onInput();
  }

  /** Quote a message or a selection above the input; the next question is about it. */
  setAbout(about) {
    this.about = about;
    this.quote.hidden = !about;
    this.quote.replaceChildren();
    if (!about) return;
    this.quote.append(
      el("blockquote", { class: "quoted", "aria-label": "You ask about" }, about.text),
      el("button", { type: "button", class: "icon close", "aria-label": "Do not ask about this", onclick: () => { this.setAbout(null); this.focus(); } }));
    this.focus();
  }

  onInput() {
    this.input.style.height = "auto";
    this.input.style.height = `${this.input.scrollHeight}px`;
    this.tell();
    this.completions.update();
  }

  onKey(event) {
    if (this.completions.onKey(event)) return;
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      this.submit();
    } else if (event.key === "Escape" && this.about) {
      event.stopPropagation();
      this.setAbout(null);
    }
  }

  tell(problem = null) {
    const length = this.input.value.trim().length;
    const isTooLong = length > MAX_CHARS;
    this.hint.classList.toggle("wrong", Boolean(problem) || isTooLong);
    if (problem) this.hint.textContent = problem;
    else if (isTooLong) this.hint.textContent = `${length} of at most ${MAX_CHARS} characters: shorten it, or ask in parts.`;
    else if (length > TELL_FROM) this.hint.textContent = `${length} of ${MAX_CHARS} characters`;
    else this.hint.textContent = "Enter sends · / for commands";
    this.button.disabled = isTooLong;
  }

  async submit() {
    const text = this.input.value.trim();
    if (!text || this.button.disabled) return;
    this.completions.close();
    if (text.startsWith("/") && this.onCommand(text, this)) return;
    await this.deliver({ text: text.replace(/^\/(ask|note)\s+/, ""), asks: !text.startsWith("/note ") && this.asks.checked });
  }

  async deliver({ text, asks }) {
    const sent = { text, asks, about: this.about, id: this.sendId };
    this.button.disabled = true;
    try {
      await this.onSend(sent);
      this.sendId = newId();
      this.clear();
    } catch (error) {
      // The words stay, and sending them again cannot ask twice: the id is the same.
      this.button.disabled = false;
      this.tell(`${error.message} Press Enter to try again.`);
      if (error.status >= 400 && error.status < 500) this.sendId = newId();
      return;
    }
    this.tell();
  }
}
