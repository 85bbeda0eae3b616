// Steps along an order's life as a client takes them, and a way to each state that an order can be in (contract §4).
import type { ApiClient, ClientResponse } from "@tradepost/testing";
import type { TestShop } from "./test-orders.ts";

/** The last part of each action's path, and its body. */
export const STEPS = {
  succeeded: ["payments", { status: "succeeded" }],
  failed: ["payments", { status: "failed" }],
  fulfill: ["fulfill", {}],
  deliver: ["deliver", {}],
  cancel: ["cancel", {}],
  "refund 4": ["refund", { amount: 4 }],
  "refund all": ["refund", {}],
} as const;

export type Step = keyof typeof STEPS;

/** Every state that an order of 10 can be in, `status paymentStatus`, and one way there. */
export const WAYS: Readonly<Record<string, readonly Step[]>> = {
  "placed unpaid": [],
  "placed failed": ["failed"],
  "placed paid": ["succeeded"],
  "placed partially_refunded": ["succeeded", "refund 4"],
  "placed refunded": ["succeeded", "refund all"],
  "fulfilled unpaid": ["fulfill"],
  "fulfilled failed": ["failed", "fulfill"],
  "fulfilled paid": ["succeeded", "fulfill"],
  "fulfilled partially_refunded": ["succeeded", "refund 4", "fulfill"],
  "fulfilled refunded": ["succeeded", "fulfill", "refund all"],
  "delivered unpaid": ["fulfill", "deliver"],
  "delivered failed": ["fulfill", "deliver", "failed"],
  "delivered paid": ["fulfill", "succeeded", "deliver"],
  "delivered partially_refunded": ["succeeded", "fulfill", "deliver", "refund 4"],
  "delivered refunded": ["succeeded", "fulfill", "refund all", "deliver"],
  "cancelled unpaid": ["cancel"],
  "cancelled failed": ["failed", "cancel"],
  "cancelled refunded": ["succeeded", "refund all", "cancel"],
};

/** Out: the id of a new order that costs 10 USD unless said otherwise. */
export async function placeOne(shop: TestShop, { unitPrice = 10, currency = "USD" } = {}): Promise<string> {
  const items = [{ sku: "A-1", name: "Mug", unitPrice }];
  const { status, text, body } = await shop.client.post("/v1/orders", {
    customerId: shop.customerId,
    currency,
    items,
  });
  if (status !== 201) throw new Error(`no order was placed: ${status} ${text}`);
  return body.data.id;
}

export function take(
  client: ApiClient,
  id: string,
  step: Step,
  headers: Record<string, string> = {},
): Promise<ClientResponse> {
  const [action, body] = STEPS[step];
  return client.post(`/v1/orders/${id}/${action}`, body, headers);
}

/** Takes one step after the other; throws where one is refused. */
export async function walk(client: ApiClient, id: string, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const { status, text } = await take(client, id, step);
    if (status !== 200) throw new Error(`${step} was refused: ${status} ${text}`);
  }
}
