// The actions on an order as client requests, and the actions that lead to each state (interface §4).
import type { ApiClient, ClientResponse } from "@tradepost/testing";
import { line, type TestShop } from "./test-orders.ts";

/** The last segment of each action's path, and its body. */
const STEPS = {
  succeeded: ["payments", { status: "succeeded" }],
  failed: ["payments", { status: "failed" }],
  fulfill: ["fulfill", {}],
  deliver: ["deliver", {}],
  cancel: ["cancel", {}],
  "refund 4": ["refund", { amount: 4 }],
  "refund all": ["refund", {}],
} as const;

export type Step = keyof typeof STEPS;

/** States of an order of 10, as `status paymentStatus`, with the steps that lead to each. */
export const STEPS_TO: Readonly<Record<string, readonly Step[]>> = {
  "placed unpaid": [],
  "placed failed": ["failed"],
  "placed paid": ["succeeded"],
  "fulfilled unpaid": ["fulfill"],
  "delivered paid": ["fulfill", "succeeded", "deliver"],
  "cancelled unpaid": ["cancel"],
};

/** Places an order in dollars, takes the steps, and returns its id. */
export async function placeOrder(
  shop: TestShop,
  steps: readonly Step[] = [],
  unitPrice = 10,
): Promise<string> {
  const order = shop.order({ currency: "USD", items: [line({ unitPrice })] });
  const { status, text, body } = await shop.client.post("/v1/orders", order);
  if (status !== 201) throw new Error(`the order was refused: ${status} ${text}`);
  await takeSteps(shop.client, body.data.id, steps);
  return body.data.id;
}

export function takeStep(
  client: ApiClient,
  id: string,
  step: Step,
  headers: Record<string, string> = {},
): Promise<ClientResponse> {
  const [action, body] = STEPS[step];
  return client.post(`/v1/orders/${id}/${action}`, body, headers);
}

/** Takes the steps one after another. Throws if one is refused. */
export async function takeSteps(client: ApiClient, id: string, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const { status, text } = await takeStep(client, id, step);
    if (status !== 200) throw new Error(`${step} was refused: ${status} ${text}`);
  }
}
