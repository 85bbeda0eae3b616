// The result of a test in a sentence. Pure.
import type { DataOf } from "@tradepost/client/operations";
import { outcomeText } from "../../format/webhooks.ts";

type Delivery = Pick<DataOf<"getDelivery">, "status" | "attempts">;

export function testText({ status, attempts }: Delivery): string {
  const last = attempts.at(-1);
  const outcome = last && outcomeText(last.outcome, last.statusCode);
  switch (status) {
    case "delivered":
      return last ? `It arrived: ${outcome}, after ${last.durationMs} ms.` : "It arrived.";
    case "retrying":
      return `Attempt ${last?.attempt ?? 1} failed${outcome ? `: ${outcome}` : ""}.`;
    case "failed":
      return `All attempts failed${outcome ? `: ${outcome}` : ""}.`;
    case "paused":
      return "It waits until the subscription is resumed.";
    case "cancelled":
      return "The subscription was deleted, so it is not sent.";
    case "pending":
      return "It is on its way.";
  }
}
