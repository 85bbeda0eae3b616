// Chooses the requests that clients send about one order. Pure.
import type { OrderRequest } from "./order-model.ts";

// More requests that change the order than in real life, and few that end it early.
const WEIGHTS: Readonly<Record<OrderRequest["name"], number>> = {
  ...{ place: 2, read: 20, list: 6, timeline: 8 },
  ...{ pay: 16, refund: 18, patch: 16, fulfill: 4, deliver: 4, cancel: 3 },
};
const NAMES = (Object.keys(WEIGHTS) as OrderRequest["name"][]).flatMap((name) =>
  Array<OrderRequest["name"]>(WEIGHTS[name]).fill(name),
);
const REFERENCES = ["a", "b", "c"];
const NOTES = ["ring twice", "leave at the door", "call first"];
const REFUND_MAX = 3;

/** `version` is one that the client has seen; 0 if it does not know that the order exists. */
export function newOrderRequest(version: number, random: () => number): OrderRequest {
  const oneOf = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  if (version === 0) return { name: oneOf(["place", "list"] as const) };
  const name = oneOf(NAMES);
  const ifMatch = random() < 0.3 ? { ifMatch: version } : {};
  const reference = random() < 0.4 ? { reference: oneOf(REFERENCES) } : {};
  switch (name) {
    case "pay":
      return { name, outcome: random() < 0.6 ? "succeeded" : "failed", ...reference, ...ifMatch };
    case "refund":
      return { name, amount: 1 + Math.floor(random() * REFUND_MAX), ...reference, ...ifMatch };
    case "patch":
      return { name, note: oneOf(NOTES), ...ifMatch };
    case "fulfill":
    case "deliver":
    case "cancel":
      return { name, ...ifMatch };
    default:
      return { name };
  }
}
