import type { ItemOf } from "@tradepost/client/operations";
import { absoluteTime } from "../../format/time.ts";
import { lastErrorText, waitingText } from "../../format/webhooks.ts";
import { counted, size } from "../../format/words.ts";

export type Notice = ItemOf<"listNotices">;
export type NoticeKind = Notice["kind"];

interface Wording {
  readonly text: string;
  readonly tone: "warning" | "danger";
}

export const NOTICE_KINDS: Readonly<Record<NoticeKind, Wording>> = {
  endpoint_failing: { text: "Endpoint fails", tone: "warning" },
  endpoint_down: { text: "Endpoint is down", tone: "danger" },
  endpoint_gone: { text: "Endpoint is gone", tone: "danger" },
  delivery_failed: { text: "Deliveries failed", tone: "danger" },
  waiting_near_bound: { text: "Waiting deliveries may fail soon", tone: "danger" },
  secret_overlap_ends: { text: "Previous secret ends", tone: "warning" },
  listener_expired: { text: "Listener is paused", tone: "warning" },
  quota_near: { text: "Quota is nearly used up", tone: "danger" },
};

/** A kind that this release does not know is shown as it is. */
export function wordingOf(kind: string): Wording {
  return Object.hasOwn(NOTICE_KINDS, kind)
    ? NOTICE_KINDS[kind as NoticeKind]
    : { text: kind, tone: "warning" };
}

/** A listener and a deleted subscription have no page. */
export function hasPage(id: string | null, kindOf: (id: string) => string | undefined): id is string {
  return id !== null && kindOf(id) === "subscription";
}

/**
 * Returns one line, or an empty text if there are no facts. Unknown facts are left out. Times are in the given zone or the
 * browser's.
 */
export function factsText({ facts }: Pick<Notice, "facts">, timeZone?: string): string {
  const { since, failures, lastOutcome, lastStatusCode, count } = facts;
  const { waiting, bound, oldestCreatedAt, endsAt, used, max } = facts;
  const time = (value: string | number) => absoluteTime(String(value), timeZone);
  const parts = [
    since != null && `since ${time(since)}`,
    failures != null && counted(Number(failures), "failure in a row", "failures in a row"),
    lastOutcome != null &&
      lastErrorText([lastOutcome, lastStatusCode].filter((one) => one != null).join(" ")),
    count != null && counted(Number(count), "delivery failed for good", "deliveries failed for good"),
    waiting != null && waitingText(Number(waiting)),
    // The bound on their number does not matter if the oldest is near the bound on age.
    oldestCreatedAt != null && `the oldest since ${time(oldestCreatedAt)}`,
    bound != null && oldestCreatedAt == null && `${bound} may wait`,
    endsAt != null && `it ends on ${time(endsAt)}`,
    used != null && max != null && `${size(Number(used))} of ${size(Number(max))} were used`,
  ];
  const line = parts.filter((part) => part !== false).join(" · ");
  return line.charAt(0).toUpperCase() + line.slice(1);
}
