// The history of a delivery in two sentences. Pure.
import type { DataOf } from "@tradepost/client/operations";
import { quoted } from "../../api/curl.ts";
import { duration } from "../../format/time.ts";
import { outcomeText } from "../../format/webhooks.ts";
import { counted } from "../../format/words.ts";

export type DeliveryWithAttempts = DataOf<"getDelivery">;
export type Attempt = DeliveryWithAttempts["attempts"][number];

/** `receiver`: null if it no longer exists, undefined if that is not known yet. */
export function summaryOf(
  delivery: DeliveryWithAttempts,
  receiver: { readonly kind: "subscription" | "listener" } | null | undefined,
) {
  const isListener = receiver?.kind === "listener";
  const last = delivery.attempts.at(-1);
  const reason = last === undefined ? undefined : outcomeText(last.outcome, last.statusCode);
  const because = reason === undefined ? "" : `: ${reason}`;
  const { attemptCount } = delivery;
  switch (delivery.status) {
    case "pending":
      return pending(delivery, isListener);
    case "retrying":
      return {
        title: `Waits for attempt ${attemptCount + 1}`,
        text: `Attempt ${attemptCount} failed${because}.`,
      };
    case "paused":
      return {
        title: "Paused",
        text: isListener
          ? "Its listener has expired. It is kept, and the listener’s next lease gets it."
          : "Its subscription is paused. It is kept, and is sent once the subscription is resumed.",
      };
    case "delivered":
      return {
        title: `Delivered on attempt ${attemptCount}`,
        text: last === undefined ? "" : `The receiver responded after ${duration(last.durationMs)}.`,
      };
    case "failed":
      return {
        title: `Failed after ${counted(attemptCount, "attempt")}${because}`,
        text: "No further attempt is planned. Once the receiver works again, an admin can redeliver it.",
      };
    case "cancelled":
      return {
        title: "Cancelled",
        // The operator can stop offering types of orders, but no others.
        text: `${receiver && delivery.type.startsWith("order.") ? "The operator stopped offering its event" : "Its subscription was deleted"} before it was delivered. Nothing more is sent.`,
      };
  }
}

function pending({ attempts: { length } }: DeliveryWithAttempts, isListener: boolean) {
  const title = length === 0 ? "Waits for its first attempt" : "Waits to be sent once more";
  return { title, text: isListener ? "Its listener has not fetched it yet." : "It is sent in a moment." };
}

/** `To 203.0.113.7: DNS 3 ms, connection 12 ms, TLS 25 ms, first byte 40 ms`; undefined without an address. */
export function routeText(attempt: Attempt): string | undefined {
  const { address, isReusedConnection, phases } = attempt;
  if (!address) return undefined;
  const named = [
    ["DNS", phases.dnsMs],
    ["connection", phases.connectMs],
    ["TLS", phases.tlsMs],
    ["first byte", phases.firstByteMs],
  ] as const;
  const taken = named.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${duration(ms)}`]));
  return `To ${address}${isReusedConnection ? ", over an open connection" : ""}${taken.length === 0 ? "" : `: ${taken.join(", ")}`}`;
}

export function isTest({ request }: Pick<DeliveryWithAttempts, "request">): boolean {
  try {
    const body = JSON.parse(request?.body ?? "") as { data?: { test?: unknown } } | null;
    return body?.data?.test === true;
  } catch {
    return false;
  }
}

// curl sets these itself.
const OF_THE_CONNECTION = /^(host|connection|content-length|transfer-encoding)$/i;

/** Returns a command that sends the same request; undefined for a listener's delivery, which has no address. */
export function curlOfRequest(request: NonNullable<DeliveryWithAttempts["request"]>): string | undefined {
  const { url, headers, body } = request;
  if (url === undefined) return undefined;
  const shown = Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.test(name));
  return [
    `curl -sS -X POST ${quoted(url)}`,
    ...shown.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-binary ${quoted(body)}`,
  ].join(" \\\n  ");
}
