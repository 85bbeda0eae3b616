// Explains why an event arrived at a subscription or did not, and what to do about it. Pure.
import type { DataOf } from "@tradepost/client/operations";
import { mismatchText } from "../../format/event-filter.ts";
import { type DeliveryStatus, EVENT_TYPES, type EventType } from "../../format/webhooks.ts";

export type EventWithMatches = DataOf<"getWebhookEvent">;
export type Match = EventWithMatches["subscriptions"][number];

export interface Explanation {
  readonly reason: string;
  /** The next step; undefined if nothing needs to be done. */
  readonly next?: string;
  /** True if the next step is taken on the page of the subscription. */
  readonly isDoneThere?: true;
}

interface ReceiverNow {
  readonly kind: "subscription" | "listener";
  readonly events: readonly EventType[];
}

export function explain(
  type: EventType,
  { reason, filteredBy, deliveryId }: Pick<Match, "reason" | "filteredBy" | "deliveryId">,
  status: DeliveryStatus | undefined,
  receiver: ReceiverNow | null | undefined,
): Explanation {
  const kind = receiver?.kind ?? "subscription";
  if (reason === "created_later")
    return { reason: `The ${kind} was created after this happened.`, ...sentLater(kind) };
  if (reason === "type_not_subscribed") return notSubscribed(type, kind, receiver);
  if (reason === "filtered") return filtered(filteredBy);
  if (deliveryId === null || status === undefined)
    return { reason: "It matched. The delivery is so old that it is no longer in the log." };
  // The operator can stop offering types of orders, but no others.
  if (status === "cancelled" && receiver && type.startsWith("order."))
    return { reason: "The operator stopped offering this event before it was delivered." };
  return (kind === "listener" ? OF_LISTENER : OF_STATUS)[status];
}

function notSubscribed(
  type: EventType,
  kind: ReceiverNow["kind"],
  receiver: ReceiverNow | null | undefined,
): Explanation {
  const event = `“${EVENT_TYPES[type]}”`;
  if (receiver?.events.includes(type))
    return { reason: `The ${kind} asked for ${event} only after this happened.`, ...sentLater(kind) };
  const reason = `The ${kind} does not ask for ${event}.`;
  return kind === "listener"
    ? { reason, next: "Make a listener that asks for it. It gets what happens from then on." }
    : {
        reason,
        next: "Add the event to the subscription. It gets what happens from then on, and what was before by a replay of what is missing.",
        isDoneThere: true,
      };
}

/** Says how an event from before the subscription can still be sent. */
function sentLater(kind: ReceiverNow["kind"]): Pick<Explanation, "next" | "isDoneThere"> {
  return kind === "listener"
    ? { next: "A listener gets no past events. To have this one arrive, make the change once more." }
    : {
        next: "Replay what is missing on the page of the subscription: that sends it too.",
        isDoneThere: true,
      };
}

function filtered(fields: Match["filteredBy"]): Explanation {
  const why = fields === null || fields.length === 0 ? "" : `: ${mismatchText(fields)}`;
  return {
    reason: `The filter of the subscription kept it back${why}.`,
    next: "If it should arrive, change the filter, and then replay what is missing.",
    isDoneThere: true,
  };
}

const OF_STATUS: Readonly<Record<DeliveryStatus, Explanation>> = {
  delivered: { reason: "It arrived: the receiver accepted it." },
  pending: { reason: "It is about to be sent." },
  retrying: {
    reason: "It was sent, and the receiver did not accept it yet.",
    next: "It is tried again by itself. The delivery says when, and what the receiver responded.",
  },
  paused: {
    reason: "The subscription is paused, and the event is kept.",
    next: "Resume the subscription: what was kept is then sent, the oldest first.",
    isDoneThere: true,
  },
  failed: {
    reason: "It was sent, and the receiver never accepted it.",
    next: "See what the receiver responded, correct it there, and redeliver.",
  },
  cancelled: { reason: "The subscription was deleted before it was delivered." },
};

const OF_LISTENER: typeof OF_STATUS = {
  ...OF_STATUS,
  pending: { reason: "It waits to be fetched by the listener." },
  paused: { reason: "The listener has expired, and the event is kept.", next: "Its next lease gets it." },
};
