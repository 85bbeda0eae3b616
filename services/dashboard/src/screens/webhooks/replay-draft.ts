import type { BodyOf, DataOf } from "@tradepost/client/operations";
import { number } from "../../format/shop.ts";
import { instantOf } from "../../format/time.ts";
import type { EventType } from "../../format/webhooks.ts";

export type Replay = DataOf<"getReplay">;
export type Include = Replay["include"];
export type Selection = Pick<BodyOf<"startReplay">, "since" | "until" | "include" | "types">;

export const INCLUDES = {
  failed: {
    text: "What failed",
    hint: "Deliveries that failed for good.",
    time: "failed",
    nothing: "No delivery failed for good in this time. One that is still retried is sent by itself.",
  },
  missing: {
    text: "What is missing",
    hint: "Events that the subscription wants today and that were never sent to it: from before it, or kept back by a filter.",
    time: "happened",
    nothing: "Every event of this time that the subscription wants today has a delivery.",
  },
  all: {
    text: "Everything",
    hint: "Both, and once more what was delivered.",
    time: "happened",
    nothing: "Nothing that the subscription wants today happened in this time.",
  },
} as const satisfies Record<Include, object>;

export function selectionIn(form: FormData): Selection {
  const until = instantOf(String(form.get("until")));
  const types = form.getAll("types") as EventType[];
  return {
    include: form.get("include") as Include,
    since: instantOf(String(form.get("since"))) ?? "",
    ...(until !== undefined && { until }),
    ...(types.length > 0 && { types }),
  };
}

export function countedText(matched: number): string {
  return `${number(matched)} will be sent`;
}

/** The result of a replay: `Finished. 2 were skipped, because they had changed meanwhile.` */
export function progressText({ status, skipped }: Pick<Replay, "status" | "skipped">): string {
  if (status === "running") return "It goes on…";
  const count = `${number(skipped)} ${skipped === 1 ? "was" : "were"}`;
  if (status === "cancelled") return skipped === 0 ? "Cancelled." : `Cancelled. ${count} not sent.`;
  return skipped === 0 ? "Finished." : `Finished. ${count} skipped, because they had changed meanwhile.`;
}

export const REPLAY_STATUSES = {
  running: { text: "Running", tone: "warning" },
  finished: { text: "Finished", tone: "good" },
  cancelled: { text: "Cancelled", tone: "quiet" },
} as const satisfies Record<Replay["status"], object>;
