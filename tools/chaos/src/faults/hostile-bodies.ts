// Bodies that are expensive to receive, parse or validate, with and without credentials. The traffic must stay fast.
import { randomUUID } from "node:crypto";
import { Agent } from "undici";
import type { Fault, FaultContext } from "./fault.ts";
import { oneByteChunks, slowClients } from "./slow-clients.ts";

const SLOW_CLIENTS_PER_GATEWAY = 140;
const ONE_BYTE_CHUNKS = 2_000_000;
const CONCURRENT_BULK_REQUESTS = 6;
const REQUEST_TIMEOUT_MS = 20_000;

export const hostileBodies: Fault = {
  name: "hostile bodies",
  mustStayFast: true,
  inject: async (context) => {
    const { platform, hostileTenant, durationMs, note, fail } = context;
    const ending = AbortSignal.timeout(3 * durationMs);
    const gateways = platform.services.filter(({ service }) => service === "gateway");
    const targets = gateways.map(({ url }) => ({ url, apiKey: hostileTenant.apiKey }));
    const statuses = new Map<string, number>();
    const count = (status: string) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const send = async (request: HostileRequest) => {
      const status = await statusOf(context, request);
      count(String(status || "no response"));
      if (status === 500) fail(`${request.name} got a 500`);
    };
    const [chunksSent] = await Promise.all([
      Promise.all(targets.map((target) => oneByteChunks(target, ONE_BYTE_CHUNKS, ending))),
      sendInSequence(costlyRequests(hostileTenant.customerId), send, ending),
      Promise.all(
        Array.from({ length: CONCURRENT_BULK_REQUESTS }, () => send(bulkRequest(hostileTenant.customerId))),
      ),
      ...targets.map((target) => slowClients(target, SLOW_CLIENTS_PER_GATEWAY, ending)),
    ]);
    await platform.untilReady();
    note(
      `responses to the hostile requests: ${[...statuses].map(([status, n]) => `${n} × ${status}`).join(", ")}`,
    );
    note(`one-byte chunks sent: ${chunksSent.join(" and ")}`);
  },
};

async function sendInSequence(
  requests: readonly HostileRequest[],
  send: (request: HostileRequest) => Promise<void>,
  ending: AbortSignal,
): Promise<void> {
  do {
    for (const request of requests) await send(request);
  } while (!ending.aborted);
}

/** 0 without a response. Each request has its own connection, so it never waits for another response. */
async function statusOf({ platform, hostileTenant }: FaultContext, request: HostileRequest): Promise<number> {
  const agent = new Agent({ connections: 1 });
  try {
    const response = await agent.request({
      origin: platform.url,
      path: request.path,
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(!request.isAnonymous && { authorization: `Bearer ${hostileTenant.apiKey}` }),
        ...(request.hasIdempotencyKey && { "idempotency-key": randomUUID() }),
      },
      body: request.body,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    await response.body.dump();
    return response.statusCode;
  } catch {
    return 0;
  } finally {
    await agent.destroy();
  }
}

const ZEROS = 160_000;
const DEPTH = 200_000;
const BULK_ORDERS = 100;
const BULK_LINES = 500;

interface HostileRequest {
  readonly name: string;
  readonly path: string;
  readonly body: string;
  readonly isAnonymous: boolean;
  readonly hasIdempotencyKey: boolean;
}

function costlyRequests(customerId: string): HostileRequest[] {
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
function bulkRequest(customerId: string): HostileRequest {
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
