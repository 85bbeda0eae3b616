// Requests whose bodies are cheap to send and expensive to parse or validate. Pure.

const ZEROS = 160_000;
const DEPTH = 200_000;
const BULK_ORDERS = 100;
const BULK_LINES = 500;

export interface HostileRequest {
  readonly name: string;
  readonly path: string;
  readonly body: string;
  readonly isAnonymous: boolean;
  readonly hasIdempotencyKey: boolean;
}

/** A few hundred KB each. */
export function costlyRequests(customerId: string): HostileRequest[] {
  const longNumber = `1.${"0".repeat(ZEROS)}1`;
  const zeros = `1${"0".repeat(ZEROS)}`;
  const deep = `${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}`;
  const order = (fields: string) =>
    `{"customerId":"${customerId}","items":[{"sku":"A","name":"A"}],${fields}}`;
  const anonymous = { isAnonymous: true, hasIdempotencyKey: false };
  const authenticated = { isAnonymous: false, hasIdempotencyKey: true };
  return [
    {
      name: "login with a long number",
      path: "/v1/auth/login",
      body: `{"email":"a@example.com","password":${longNumber}}`,
      ...anonymous,
    },
    {
      name: "login with many zeros",
      path: "/v1/auth/login",
      body: `{"email":"a@example.com","password":${zeros}}`,
      ...anonymous,
    },
    { name: "login, deeply nested", path: "/v1/auth/login", body: deep, ...anonymous },
    {
      name: "order with a long number",
      path: "/v1/orders",
      body: order(`"metadata":{"n":${longNumber}}`),
      ...authenticated,
    },
    {
      name: "order with a long amount",
      path: "/v1/orders",
      body: order(`"shippingTotal":${longNumber}`),
      ...authenticated,
    },
    {
      name: "order, deeply nested",
      path: "/v1/orders",
      body: order(`"metadata":{"n":${deep}}`),
      ...authenticated,
    },
    { name: "bulk, deeply nested", path: "/v1/orders/bulk", body: `{"orders":[${deep}]}`, ...authenticated },
  ];
}

/** 50,000 lines in little more than 1 MB. */
export function bulkRequest(customerId: string): HostileRequest {
  const items = Array.from({ length: BULK_LINES }, () => ({ sku: "A", name: "A" }));
  const orders = Array.from({ length: BULK_ORDERS }, () => ({ customerId, items }));
  return {
    name: "bulk of 100 orders of 500 lines",
    path: "/v1/orders/bulk",
    body: JSON.stringify({ orders }),
    isAnonymous: false,
    hasIdempotencyKey: false,
  };
}
