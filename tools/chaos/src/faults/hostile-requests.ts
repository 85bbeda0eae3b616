// Bodies that cost a careless server far more than their sender. Pure.

const ZEROS = 160_000;
const DEPTH = 200_000;
const BULK_ORDERS = 100;
const BULK_LINES = 500;

export interface HostileRequest {
  readonly what: string;
  readonly path: string;
  readonly body: string;
  /** Sign-in takes no credential. */
  readonly isAnonymous: boolean;
  readonly hasIdempotencyKey: boolean;
}

/** Requests of a few hundred KB each. */
export function costlyRequests(customerId: string): HostileRequest[] {
  const longNumber = `1.${"0".repeat(ZEROS)}1`;
  const zeros = `1${"0".repeat(ZEROS)}`;
  const deep = `${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}`;
  const order = (more: string) => `{"customerId":"${customerId}","items":[{"sku":"A","name":"A"}],${more}}`;
  const anonymous = { isAnonymous: true, hasIdempotencyKey: false };
  const ours = { isAnonymous: false, hasIdempotencyKey: true };
  return [
    {
      what: "login with a long number",
      path: "/v1/auth/login",
      body: `{"email":"a@example.com","password":${longNumber}}`,
      ...anonymous,
    },
    {
      what: "login with many zeros",
      path: "/v1/auth/login",
      body: `{"email":"a@example.com","password":${zeros}}`,
      ...anonymous,
    },
    { what: "login, deeply nested", path: "/v1/auth/login", body: deep, ...anonymous },
    {
      what: "order with a long number",
      path: "/v1/orders",
      body: order(`"metadata":{"n":${longNumber}}`),
      ...ours,
    },
    {
      what: "order with a long amount",
      path: "/v1/orders",
      body: order(`"shippingTotal":${longNumber}`),
      ...ours,
    },
    { what: "order, deeply nested", path: "/v1/orders", body: order(`"metadata":{"n":${deep}}`), ...ours },
    { what: "bulk, deeply nested", path: "/v1/orders/bulk", body: `{"orders":[${deep}]}`, ...ours },
  ];
}

/** 50,000 lines in little more than 1 MB. */
export function bulkRequest(customerId: string): HostileRequest {
  const items = Array.from({ length: BULK_LINES }, () => ({ sku: "A", name: "A" }));
  const orders = Array.from({ length: BULK_ORDERS }, () => ({ customerId, items }));
  return {
    what: "bulk of 100 orders of 500 lines",
    path: "/v1/orders/bulk",
    body: JSON.stringify({ orders }),
    isAnonymous: false,
    hasIdempotencyKey: false,
  };
}
