// Says that a token was wrong, and keeps in mind where the visitor wanted to go.
const asked = new URLSearchParams(location.search);
document.querySelector("form").action = `/login?${new URLSearchParams({ then: asked.get("then") ?? "/" })}`;
if (asked.has("wrong")) {
  const wrong = document.getElementById("wrong");
  wrong.hidden = false;
  document.getElementById("token").setAttribute("aria-invalid", "true");
}
