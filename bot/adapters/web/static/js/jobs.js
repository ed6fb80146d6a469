// One ingestion as a leader sees it: how far it is, and which files failed and why.

import { call } from "./api.js";
import { el, toast } from "./dom.js";

const WORDS = { queued: "waits its turn", running: "is being read", completed: "is in", failed: "could not be taken in", cancelled: "was stopped" };

export function drawJob(job) {
  const done = job.files_processed + job.files_skipped + job.files_failed;
  const isOpen = job.status === "queued" || job.status === "running";
  return el("li", { class: `job ${job.status}`, data: { job: job.job_id, status: job.status } },
    el("header", {}, el("strong", {}, job.title), el("span", { class: "state" }, state(job, done)),
      isOpen && el("button", { type: "button", class: "quiet", onclick: () => cancel(job) }, "Stop")),
    isOpen && bar(job, done),
    job.error_message && el("p", { class: "message" }, job.error_message),
    job.errors.length > 0 && el("details", { open: true }, el("summary", {}, job.errors.length === 1 ? "1 file failed" : `${job.errors.length} files failed`),
      el("ul", {}, job.errors.map((each) => el("li", {}, el("b", {}, each.source_file), ` – ${each.message}`)))));
}

function bar(job, done) {
  const attributes = { max: String(Math.max(job.files_total, 1)), "aria-label": `Files of ${job.title}` };
  // Without a value the bar moves by itself, which says: it has begun, and how much there is is not known yet.
  if (job.files_total) attributes.value = String(done);
  return el("progress", attributes);
}

function state(job, done) {
  const words = WORDS[job.status] ?? job.status;
  if (job.status === "running" && job.files_total) return `${done} of ${job.files_total} files · ${job.chunks_created} passages`;
  if (job.status === "completed") return `${words}: ${job.chunks_created} new passages from ${job.files_processed} files${job.files_skipped ? `, ${job.files_skipped} unchanged` : ""}`;
  return words;
}

async function cancel(job) {
  try {
    await call("POST", `/api/jobs/${job.job_id}/cancel`);
  } catch (error) {
    toast(error.message);
  }
}
