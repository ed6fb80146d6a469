// Talking to the server. Every failure becomes an ApiError whose message a person can act on.

export class ApiError extends Error {
  constructor(message, { code = "failed", status = 0, retryAfter = null } = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

const AWAY = "Footnote cannot be reached. Is it still running?";

export async function call(method, path, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ApiError(AWAY, { code: "away" });
  }
  if (response.status === 401) location.assign("/login");
  if (response.status === 204) return null;
  const content = await response.json().catch(() => ({}));
  if (!response.ok) throw toError(response.status, content);
  return content;
}

export const get = (path) => call("GET", path);

/** Sends files and tells the share that is up already. */
export function upload(form, onShare) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/api/books");
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) onShare(event.loaded / event.total);
    });
    request.addEventListener("error", () => reject(new ApiError(AWAY, { code: "away" })));
    request.addEventListener("load", () => {
      if (request.status < 300) resolve(request.response);
      else reject(toError(request.status, request.response ?? {}));
    });
    request.send(form);
  });
}

function toError(status, content) {
  return new ApiError(content.message ?? "Something went wrong. Please try again.", {
    code: content.error, status, retryAfter: content.retry_after,
  });
}
