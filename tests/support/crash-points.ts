// Every fail point of the relay, of fan-out and of dispatch: which service dies there, which scenario reaches it, and how often
// the receiver may get a request because of it.
import type { CrashingService } from "./crash-platform.ts";

/** The scenario in which the process reaches the fail point. */
export type Scenario =
  /** Redirects are removed, and their events are published and delivered. */
  | "redirects"
  /** A redirect is created, and the same process publishes its event. */
  | "first event"
  /** The events are published again. */
  | "replay"
  /** The service reports, or compares, which events were published. */
  | "tally"
  /** The service's queue is deleted after the webhooks service lost the events that it received through it. */
  | "queue"
  /** The receiver fails each first attempt. */
  | "failing"
  /** The receiver fails every attempt. */
  | "dead"
  /** The deliveries wait for a paused subscription, which is resumed. */
  | "paused"
  /** The events were received without a subscription to their type, and a replay creates their deliveries. */
  | "missing"
  /** The broker lost the messages of the deliveries. */
  | "lost"
  /** Redirects are removed one after another, for an endpoint that has just accepted deliveries. */
  | "healthy";

/** Says whether an attempt reaches the receiver twice: `perhaps` if it depends on the requests in flight. */
type Repeats = "never" | "surely" | "perhaps";

export interface CrashPoint {
  /** The name of the fail point, or `<name>:<times>`. */
  readonly at: string;
  readonly service: CrashingService;
  readonly scenario: Scenario;
  readonly repeats: Repeats;
}

const points = (
  service: CrashingService,
  scenario: Scenario,
  repeats: Repeats,
  names: string[],
): CrashPoint[] => names.map((at) => ({ at, service, scenario, repeats }));

export const CRASH_POINTS: readonly CrashPoint[] = [
  // Fan-out removes duplicates of events that are published twice.
  ...points("content", "redirects", "never", [
    "relay.claimed",
    "relay.published:2",
    "relay.confirmed",
    "relay.committed",
  ]),
  ...points("content", "first event", "never", [
    "first-event.committed",
    "first-event.confirmed",
    "first-event.moved",
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
  ...points("content", "tally", "never", ["tally.claimed", "tally.confirmed"]),
  ...points("webhooks", "tally", "never", ["tally.compared"]),
  ...points("content", "queue", "never", [
    "replay-queue.declared",
    "replay-queue.bound",
    "replay-queue.recorded",
  ]),
  ...points("webhooks", "queue", "never", [
    "declare-once.cleared",
    "subscribed-queue.declared",
    "subscribed-queue.bound",
    "subscribed-queue.replay-requested",
    "declare-once.marked",
  ]),
  // These points are before the request to the receiver.
  ...points("webhooks", "redirects", "never", ["fan-out.matched", "fan-out.committed", "dispatch.claimed"]),
  // These points are between the request and the commit of its result.
  ...points("webhooks", "redirects", "surely", [
    "dispatch.sent",
    "settle.health-updated",
    "settle.recorded",
    "settle.logged",
    "settle.standings-stored",
  ]),
  // These points are after the commit, but requests of other deliveries may be in flight.
  ...points("webhooks", "redirects", "perhaps", ["settle.committed", "dispatch.settled"]),
  ...points("webhooks", "healthy", "perhaps", ["settle.successes-committed"]),
  ...points("webhooks", "failing", "perhaps", [
    "settle.committed",
    "settle.retry-published",
    "dispatch.settled",
    "requeue.committed",
    "dispatch.requeued",
  ]),
  // Only a transaction that writes a notice reaches this point.
  ...points("webhooks", "dead", "surely", ["settle.noticed"]),
  ...points("webhooks", "dead", "perhaps", ["dead-letter.published", "dead-letter.recorded"]),
  ...points("webhooks", "paused", "never", ["claim.locked", "admission-loop.claimed"]),
  ...points("webhooks", "paused", "perhaps", ["reconcile.batch-committed"]),
  ...points("webhooks", "missing", "never", ["replay.batch-committed"]),
  ...points("webhooks", "lost", "never", ["sweep.claimed"]),
];

/** Fail points that tests of their service reach: services/orders/test/erasure-crash.full.test.ts. */
export const OTHER_CRASH_POINTS = ["erasure.step-committed"];

// One each of the publication, of fan-out, and of dispatch.
const QUICK = ["first-event.confirmed", "fan-out.committed", "dispatch.sent"];

/** The points at which `npm test` kills a process. `npm test -- --full` kills one at every point. */
export const QUICK_CRASH_POINTS = CRASH_POINTS.filter(
  ({ at, scenario }) => ["redirects", "first event"].includes(scenario) && QUICK.includes(at),
);
