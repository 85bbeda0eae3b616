// Notices tell a tenant about problems that need somebody's attention (interface §17). Each episode has one, which opens once and
// closes when the episode is over. Pure.
import { z } from "zod";

export const noticeKinds = [
  "endpoint_failing",
  "endpoint_down",
  "endpoint_gone",
  "delivery_failed",
  "waiting_near_bound",
  "secret_overlap_ends",
  "listener_expired",
  "quota_near",
] as const;

export type NoticeKind = (typeof noticeKinds)[number];

export type Facts = Readonly<Record<string, string | number | null>>;

export interface EndpointNotice {
  readonly kind: "endpoint_failing" | "endpoint_down" | "endpoint_gone";
  readonly facts: Facts;
}

export interface Notice {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly subscriptionId: string | null;
  readonly subject: string;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
  readonly acknowledgedAt: Date | null;
  readonly acknowledgedBy: object | null;
  readonly facts: Facts;
}

const NEXT: Readonly<Record<NoticeKind, string>> = {
  endpoint_failing:
    "Each delivery is tried again on schedule; after an hour without a success only one delivery at a time is tried, and the others wait.",
  endpoint_down:
    "One delivery is tried every minute, after a day every 15 minutes; all others wait without using up attempts, and the first success sends them, oldest first.",
  endpoint_gone:
    "The endpoint says that it is gone; deliveries are tried again on schedule until it responds, or until you change its URL or delete the subscription.",
  delivery_failed:
    "These deliveries are not tried again by themselves; redeliver them, or recover what failed once the endpoint works.",
  waiting_near_bound:
    "Deliveries that wait too long, and the oldest if too many wait, fail and become dead letters; bring the endpoint back or pause its subscription.",
  secret_overlap_ends:
    "Deliveries are then signed with the new secret only; the receiver must know it by then.",
  listener_expired: "Its deliveries are paused and kept; they are leased again once a client leases from it.",
  quota_near:
    "Once the quota is used up, what would add to it is refused with 409 `quota_exceeded`; reads, deletions and deliveries go on.",
};

const CLOSED = "Nothing: this is over.";

export function whatHappensNext({ kind, closedAt }: Pick<Notice, "kind" | "closedAt">): string {
  return closedAt === null ? NEXT[kind] : CLOSED;
}

export function shownNotice(notice: Notice) {
  const { id, kind, subscriptionId, subject, openedAt, closedAt, acknowledgedAt, acknowledgedBy, facts } =
    notice;
  return {
    ...{ id, kind, subscriptionId, subject, openedAt, closedAt, acknowledgedAt, acknowledgedBy, facts },
    whatHappensNext: whatHappensNext(notice),
  };
}

export const noticeKind = z.enum(noticeKinds, `must be one of ${noticeKinds.join(", ")}`);

export const notice = z
  .strictObject({
    id: z.uuid(),
    kind: noticeKind,
    subscriptionId: z.uuid().nullable().describe("Null for a notice about the whole tenant."),
    subject: z.string().describe("The subscription's name and host, or what the notice is about."),
    openedAt: z.iso.datetime(),
    closedAt: z.iso.datetime().nullable(),
    acknowledgedAt: z.iso.datetime().nullable(),
    acknowledgedBy: z
      .strictObject({ type: z.string(), id: z.string(), name: z.string() })
      .nullable()
      .describe("The user who acknowledged it."),
    facts: z
      .record(z.string(), z.union([z.string(), z.number(), z.null()]))
      .describe(
        "What is known, by the kind. `endpoint_failing`, `endpoint_down`: `since`, `failures`, `lastOutcome`, `lastStatusCode`, `waiting`. `endpoint_gone`: `since`. `delivery_failed`: `count`, `firstDeliveryId`, `lastDeliveryId`. `waiting_near_bound`: `waiting`, `bound`, and `oldestCreatedAt`, which is null unless the oldest delivery is near the bound of age. `secret_overlap_ends`: `endsAt`. `listener_expired`: `waiting`. `quota_near`: `quota`, `used`, `max`. Reading an open notice shows an endpoint or a listener as of now. In messages, and once the notice is closed, its `waiting` is that of the opening, counted up to 1,000.",
      ),
    whatHappensNext: z.string().describe("One sentence for a person."),
  })
  .meta({ id: "Notice", description: "Something that needs somebody's care." });
