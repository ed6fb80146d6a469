// Says that a token was wrong.
if (location.search === "?wrong") {
  const wrong = document.getElementById("wrong");
  wrong.hidden = false;
  document.getElementById("token").setAttribute("aria-invalid", "true");
}
