// The runs of the Console: a request, the webhook or the event that followed, and the times of the steps, as far as known. Pure.
import type { DataOf } from "@tradepost/client/operations";

/** A request of this page, with the times of the browser in milliseconds. */
interface Call {
  readonly title: string;
  readonly body: unknown;
  readonly sentAt: number;
  readonly respondedAt: number;
}

export interface Webhook {
  readonly deliveryId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly arrivedAt: number;
  /** Why the signature is not valid; null if it is. */
  readonly fault: string | null;
}

export interface FeedEvent {
  readonly event: DataOf<"listOrderEvents">[number];
  readonly seenAt: number;
}

export interface Facts {
  readonly call?: Call;
  readonly webhook?: Webhook;
  /** The delivery after the response to it. */
  readonly settled?: DataOf<"reportResult">;
  readonly seen?: FeedEvent;
}

export interface Run extends Facts {
  readonly id: string;
}

const RUNS_MAX = 10;

/** Adds facts about a resource, whose run comes first if it is new: a webhook may arrive before the response. */
export function withFacts(runs: readonly Run[], id: string, facts: Facts): readonly Run[] {
  if (runs.some((run) => run.id === id))
    return runs.map((run) => (run.id === id ? { ...run, ...facts } : run));
  return [{ id, ...facts }, ...runs].slice(0, RUNS_MAX);
}

export interface Step {
  readonly name: string;
  /** Since the request, or since the commit if another program sent the request. */
  readonly ms: number;
}

/** The known steps in their order, and the correction of the platform's clock. */
export function stepsOf({ call, webhook, settled, seen }: Run): { steps: Step[]; clockMs: number } {
  const committed = timeOf(webhook?.headers["X-service-Event-Time"] ?? seen?.event.occurredAt);
  const clockMs = clockOf(call, committed);
  const start = call?.sentAt ?? committed ?? 0;
  const here = (name: string, at: number | undefined): Step[] =>
    at === undefined || call === undefined ? [] : [{ name, ms: at - start }];
  const there = (name: string, at: number | undefined): Step[] =>
    at === undefined ? [] : [{ name, ms: at + clockMs - start }];
  const steps = [
    ...here("Request", call?.sentAt),
    ...there("Committed", committed),
    ...here("Response", call?.respondedAt),
    ...there("Published, fanned out", timeOf(settled?.createdAt)),
    ...there("Signed, sent", webhook && timeOf(deliveredAt(webhook))),
    ...here("Arrived", webhook?.arrivedAt),
    ...there("Acknowledged", timeOf(settled?.completedAt)),
    ...here("In the feed", seen?.seenAt),
  ];
  return { steps: steps.toSorted((one, other) => one.ms - other.ms), clockMs };
}

/** The commit lies between the request and the response. If its time does not, the clocks differ, and the middle counts. */
function clockOf(call: Call | undefined, committed: number | undefined): number {
  if (call === undefined || committed === undefined) return 0;
  const { sentAt, respondedAt } = call;
  if (sentAt <= committed && committed <= respondedAt) return 0;
  return Math.round((sentAt + respondedAt) / 2 - committed);
}

function deliveredAt({ body }: Webhook): string | undefined {
  return (JSON.parse(body) as { delivered_at?: string }).delivered_at;
}

function timeOf(iso: string | null | undefined): number | undefined {
  return iso == null ? undefined : Date.parse(iso);
}
