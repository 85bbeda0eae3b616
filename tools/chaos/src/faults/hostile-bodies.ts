// One tenant, and somebody without any, send what costs a careless server most. The stream of the others does not notice.
import { randomUUID } from "node:crypto";
import { Agent } from "undici";
import type { Fault, Strike } from "./fault.ts";
import { bulkRequest, costlyRequests, type HostileRequest } from "./hostile-requests.ts";
import { oneByteChunks, slowClients } from "./slow-clients.ts";

const SLOW_CLIENTS_PER_GATEWAY = 140;
const ONE_BYTE_CHUNKS = 2_000_000;
const BULK_CALLS_AT_ONCE = 6;
const GIVE_UP_MS = 20_000;

export const hostileBodies: Fault = {
  name: "hostile bodies",
  keepsPace: true,
  strike: async (strike) => {
    const { platform, hostile, lastMs, note, fail } = strike;
    const over = AbortSignal.timeout(3 * lastMs);
    const gateways = platform.services.filter(({ service }) => service === "gateway");
    const targets = gateways.map(({ url }) => ({ url, apiKey: hostile.apiKey }));
    const statuses = new Map<string, number>();
    const count = (what: string) => statuses.set(what, (statuses.get(what) ?? 0) + 1);
    const send = async (request: HostileRequest) => {
      const status = await statusOf(strike, request);
      count(String(status || "no response"));
      if (status === 500) fail(`${request.what} is a 500`);
    };
    const [chunksTaken] = await Promise.all([
      Promise.all(targets.map((target) => oneByteChunks(target, ONE_BYTE_CHUNKS, over))),
      sendOneByOne(costlyRequests(hostile.customerId), send, over),
      Promise.all(Array.from({ length: BULK_CALLS_AT_ONCE }, () => send(bulkRequest(hostile.customerId)))),
      ...targets.map((target) => slowClients(target, SLOW_CLIENTS_PER_GATEWAY, over)),
    ]);
    await platform.untilReady();
    note(`responses to the hostile: ${[...statuses].map(([status, n]) => `${n} × ${status}`).join(", ")}`);
    note(`one-byte chunks taken: ${chunksTaken.join(" and ")}`);
  },
};

/** All of them at least once, then again until the fault is over. */
async function sendOneByOne(
  requests: readonly HostileRequest[],
  send: (request: HostileRequest) => Promise<void>,
  over: AbortSignal,
): Promise<void> {
  do {
    for (const request of requests) await send(request);
  } while (!over.aborted);
}

/** 0 without a response. Each request has a connection of its own, so that a gateway that freezes holds up no other. */
async function statusOf({ platform, hostile }: Strike, request: HostileRequest): Promise<number> {
  const agent = new Agent({ connections: 1 });
  try {
    const response = await agent.request({
      origin: platform.url,
      path: request.path,
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(!request.isAnonymous && { authorization: `Bearer ${hostile.apiKey}` }),
        ...(request.hasIdempotencyKey && { "idempotency-key": randomUUID() }),
      },
      body: request.body,
      signal: AbortSignal.timeout(GIVE_UP_MS),
    });
    await response.body.dump();
    return response.statusCode;
  } catch {
    return 0;
  } finally {
    await agent.destroy();
  }
}
