// Sets the colours before anything is drawn; loaded in the head of every page.
(() => {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    let wanted = "auto";
    try {
      wanted = localStorage.getItem("footnote.theme") ?? "auto";
    } catch { /* a browser may keep its storage closed; the system's colours do then */ }
    document.documentElement.dataset.theme = wanted === "auto" ? (dark.matches ? "dark" : "light") : wanted;
  };
  dark.addEventListener("change", apply);
  window.addEventListener("footnote:theme", apply);
  apply();
})();
