// Every fail point of the relay, of fan-out and of dispatch: whose process dies there, what makes it get there, and how
// often the receiver may be called because of it.
import type { CrashingService } from "./crash-platform.ts";

/**
 * What leads to the point. `redirects`: some are added and told of. `replay`: they are published again. `queue`: the
 * service's queue is deleted, after the webhooks service has lost what came through it. `failing`: the
 * receiver fails each first attempt; `dead`: every attempt. `paused`: they waited for a paused subscription to be resumed.
 * `lost`: the broker lost their messages.
 */
export type Cause = "redirects" | "replay" | "queue" | "failing" | "dead" | "paused" | "lost";

/** Whether some attempt reaches the receiver twice: not at all; surely; or only what happened to be under way. */
type Repeats = "never" | "surely" | "perhaps";

export interface CrashPoint {
  /** As in TRADEPOST_FAIL_AT. */
  readonly at: string;
  readonly service: CrashingService;
  readonly cause: Cause;
  readonly repeats: Repeats;
}

const points = (service: CrashingService, cause: Cause, repeats: Repeats, names: string[]): CrashPoint[] =>
  names.map((at) => ({ at, service, cause, repeats }));

export const CRASH_POINTS: readonly CrashPoint[] = [
  // Whatever is published twice, fan-out knows.
  ...points("content", "redirects", "never", [
    "relay.locked",
    "relay.claimed",
    "relay.published:2",
    "relay.confirmed",
    "relay.moved",
    "relay.committed",
  ]),
  ...points("content", "replay", "never", [
    "replay.requested",
    "replay.claimed",
    "replay.locked",
    "replay.begun",
    "replay.read",
    "relay.published:2",
    "replay.published",
    "replay.progress-saved",
    "replay.committed",
    "replay.ended",
  ]),
  ...points("content", "queue", "never", [
    "declare-once.cleared",
    "replay-queue.declared",
    "replay-queue.bound",
    "replay-queue.recorded",
    "declare-once.marked",
  ]),
  ...points("webhooks", "queue", "never", [
    "declare-once.cleared",
    "subscribed-queue.declared",
    "subscribed-queue.bound",
    "subscribed-queue.replay-requested",
    "declare-once.marked",
  ]),
  // Before any request.
  ...points("webhooks", "redirects", "never", [
    "fan-out.events-inserted",
    "fan-out.deliveries-inserted",
    "fan-out.admitted",
    "fan-out.committed",
    "fan-out.published",
    "claim.locked",
    "dispatch.claimed",
  ]),
  // Between a request and the commit of what became of it.
  ...points("webhooks", "redirects", "surely", [
    "dispatch.sent",
    "settle.health-updated",
    "settle.recorded",
    "settle.logged",
    "settle.admitted",
  ]),
  // After it; but the requests of others may be under way.
  ...points("webhooks", "redirects", "perhaps", ["settle.committed", "dispatch.settled"]),
  ...points("webhooks", "failing", "perhaps", [
    "settle.committed",
    "settle.retry-published",
    "dispatch.settled",
    "requeue-due.waiting",
    "requeue-due.admitted",
    "requeue-due.committed",
    "dispatch.requeued",
  ]),
  ...points("webhooks", "dead", "perhaps", ["dead-letter.published", "dead-letter.recorded"]),
  ...points("webhooks", "paused", "never", ["admission-loop.admitted", "admission-loop.committed"]),
  ...points("webhooks", "paused", "perhaps", ["reconcile.batch-committed"]),
  ...points("webhooks", "lost", "never", ["sweep.claimed"]),
];
