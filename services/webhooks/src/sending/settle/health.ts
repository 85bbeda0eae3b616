// The health of an endpoint after attempts (interface §7, §17): whether it is failing or down, how long it is held, and which
// notices open and close. Pure.
import { type attempts, reasonOf } from "../../delivery/delivery.ts";
import type { EndpointNotice } from "../../notices/notices.ts";
import { FAILING_AFTER_FAILURES } from "../../subscriptions/subscriptions.ts";
import { heldUntilAfter, type Patience } from "../next-attempt.ts";

const DOWN_AFTER_FAILURES = 8;

export interface Health {
  readonly consecutiveFailures: number;
  readonly lastSuccessAt: Date | null;
  readonly lastFailureAt: Date | null;
  readonly lastError: string | null;
  readonly failingSince: Date | null;
  readonly downSince: Date | null;
  readonly heldUntil: Date | null;
}

export interface EndedAttempt
  extends Pick<attempts.Attempt, "at" | "durationMs" | "outcome" | "statusCode" | "holdMs"> {
  /** If true, neither a hold nor a 410 applies. */
  readonly isAtFormerUrl?: boolean;
}

export type NoticeChange = { readonly name: "open" | "close"; readonly notice: EndpointNotice };

/** Takes attempts in the order of their occurrence. */
export function healthAfter(before: Health, attempts: readonly EndedAttempt[], patience: Patience) {
  const changes: NoticeChange[] = [];
  let health = before;
  for (const attempt of attempts) {
    const after =
      attempt.outcome === "delivered" ? succeeded(health, attempt) : failed(health, attempt, patience);
    changes.push(...noticeChanges(health, after, attempt));
    health = after;
  }
  return { health, changes };
}

function succeeded(before: Health, { at }: EndedAttempt): Health {
  return {
    ...before,
    consecutiveFailures: 0,
    lastSuccessAt: at,
    failingSince: null,
    downSince: null,
    // A success ends the hold of an endpoint that was down, but not of one that asked to wait.
    heldUntil: before.downSince === null ? before.heldUntil : null,
  };
}

function failed(before: Health, attempt: EndedAttempt, patience: Patience): Health {
  const { at, durationMs } = attempt;
  const holdMs = attempt.isAtFormerUrl ? null : attempt.holdMs;
  const endedAt = new Date(at.getTime() + durationMs);
  const consecutiveFailures = before.consecutiveFailures + 1;
  const failingSince = before.failingSince ?? at;
  const isDown =
    before.downSince !== null ||
    (consecutiveFailures >= DOWN_AFTER_FAILURES &&
      endedAt.getTime() - failingSince.getTime() >= patience.downAfterMs);
  const downSince = isDown ? (before.downSince ?? endedAt) : null;
  return {
    ...before,
    consecutiveFailures,
    lastFailureAt: at,
    lastError: reasonOf(attempt),
    failingSince,
    downSince,
    heldUntil: heldUntilAfter(before.heldUntil, { endedAt, holdMs, downSince }, patience),
  };
}

/** An endpoint that was failing before notices existed gets its notice with the next failure. */
function noticeChanges(
  before: Health,
  after: Health,
  { at, outcome, statusCode, isAtFormerUrl }: EndedAttempt,
): NoticeChange[] {
  if (outcome === "delivered") {
    if (before.consecutiveFailures === 0) return [];
    const facts = factsOf(before);
    return [
      { name: "close", notice: { kind: "endpoint_failing", facts } },
      { name: "close", notice: { kind: "endpoint_down", facts } },
      { name: "close", notice: { kind: "endpoint_gone", facts: {} } },
    ];
  }
  const facts = factsOf(after);
  const notices: EndpointNotice[] = [
    ...(after.consecutiveFailures >= FAILING_AFTER_FAILURES
      ? [{ kind: "endpoint_failing" as const, facts }]
      : []),
    ...(after.downSince === null ? [] : [{ kind: "endpoint_down" as const, facts }]),
    ...(statusCode === 410 && !isAtFormerUrl
      ? [{ kind: "endpoint_gone" as const, facts: { since: at.toISOString() } }]
      : []),
  ];
  return notices.map((notice) => ({ name: "open", notice }));
}

function factsOf({ failingSince, consecutiveFailures, lastError }: Health) {
  const [lastOutcome, status] = (lastError ?? "").split(" ");
  return {
    since: failingSince?.toISOString() ?? null,
    failures: consecutiveFailures,
    lastOutcome: lastOutcome ?? null,
    lastStatusCode: status === undefined ? null : Number(status),
  };
}
