// Requests that place orders: through the gateway with API keys, or straight to the service, signed like the gateway's.
import { randomUUID } from "node:crypto";
import type { TenantCredentials } from "@tradepost/devstack";
import { type Principal, principalHeaders } from "@tradepost/http";
import { newTraceparent } from "@tradepost/runtime";
import { requestText } from "./connection.ts";

const PATH = "/v1/orders";

export function orderBody(customerId: string, lines: number): string {
  const items = Array.from({ length: lines }, (_, index) => ({
    sku: `TSHIRT-${index + 1}`,
    name: `T-shirt, size ${index + 1}`,
    quantity: 1 + (index % 3),
    unitPrice: 19.99,
    taxAmount: 1.6,
  }));
  return JSON.stringify({
    customerId,
    currency: "EUR",
    channel: "storefront",
    shippingTotal: 4.9,
    items,
    shippingAddress: { line1: "Mannerheimintie 1", city: "Helsinki", postalCode: "00100", country: "FI" },
  });
}

/** For the tenants in turn, each with a new Idempotency-Key. */
export function gatewayOrderRequests(tenants: readonly TenantCredentials[], lines: number): () => string {
  const orders = tenants.map(({ apiKey, customerId }) => ({
    authorization: `Bearer ${apiKey}`,
    body: orderBody(customerId, lines),
  }));
  return inTurn(orders, ({ authorization, body }) =>
    requestText("POST", PATH, { authorization, "idempotency-key": randomUUID() }, body),
  );
}

export function inTurn<Item, Args extends unknown[]>(
  items: readonly Item[],
  textOf: (item: Item, ...args: Args) => string,
): (...args: Args) => string {
  let count = 0;
  return (...args) => {
    count += 1;
    return textOf(items[(count - 1) % items.length] as Item, ...args);
  };
}

/** For the orders service, which shares `secret` with the gateway. */
export function serviceOrderRequests(
  tenants: readonly TenantCredentials[],
  lines: number,
  secret: string,
): () => string {
  const orders = tenants.map(({ tenantId, customerId }) => {
    const principal: Principal = {
      tenantId,
      role: "editor",
      scopes: ["write:crm"],
      modules: ["crm"],
      actor: { type: "api_key", id: randomUUID(), name: "Bench" },
    };
    const body = orderBody(customerId, lines);
    return { principal, body, bytes: Buffer.from(body) };
  });
  return inTurn(orders, ({ principal, body, bytes }) => {
    const idempotencyKey = randomUUID();
    const request = {
      ...{ method: "POST", path: PATH, requestId: randomUUID(), traceparent: newTraceparent() },
      ...{ idempotencyKey, body: bytes },
    };
    const headers = { ...principalHeaders(principal, request, secret), "idempotency-key": idempotencyKey };
    return requestText("POST", PATH, headers, body);
  });
}
