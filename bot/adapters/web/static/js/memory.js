// What this browser keeps for itself: a name, colours, and which answers were rated.

export function recall(key, otherwise = null) {
  try {
    return localStorage.getItem(`footnote.${key}`) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function keep(key, value) {
  try {
    localStorage.setItem(`footnote.${key}`, value);
  } catch { /* a browser may keep its storage closed; then it is forgotten with the page */ }
}

export const myName = () => recall("name", "You");
