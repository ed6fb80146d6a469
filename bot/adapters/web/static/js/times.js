// Times as people write them, in the reader's own language.

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export const atTime = (moment) => clock.format(new Date(moment));
export const inFull = (moment) => full.format(new Date(moment));

export function onDay(moment) {
  const then = new Date(moment);
  const today = new Date();
  if (then.toDateString() === today.toDateString()) return "Today";
  today.setDate(today.getDate() - 1);
  return then.toDateString() === today.toDateString() ? "Yesterday" : day.format(then);
}
