// An endpoint that asks to wait, with 503 and Retry-After, while the processes that send to it are killed. No attempt may start
// before that time, and nothing may be lost.
import { sleep } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import type { Fault, FaultContext } from "./fault.ts";
import {
  attemptsOf,
  type OwnEndpoint,
  type OwnEndpoints,
  openOwnEndpoints,
  type RecordedDelivery,
} from "./own-endpoints.ts";

const HOLD_MS = 20_000;
const IN_SECONDS = "with seconds";
/** The service rounds the times of an attempt to milliseconds. */
const ROUNDING_MS = 2;
const ACCEPTED_BEFORE = 20;
/** Long enough for several attempts to be in progress when the first one gets its 503. */
const RESPONSE_MS = 500;
/** Long enough for a fan-out that began before the hold was recorded to end. */
const FAN_OUT_MS = 1_000;

export const busyEndpoint: Fault = {
  name: "endpoint asks to wait",
  // Leases are requests of the processes that are killed.
  mayFailRequests: true,
  inject: async (context) => {
    const { platform, fail } = context;
    await using own = await openOwnEndpoints(context, "chaos-busy", [
      { name: IN_SECONDS },
      { name: "with a date" },
    ]);
    own.startTraffic();
    await until("the endpoints to be alive", () =>
      own.endpoints.every(({ arrivals }) => arrivals.length >= ACCEPTED_BEFORE),
    );
    const askedUntil = new Map<OwnEndpoint, number>();
    own.behave((endpoint) => (res) => {
      setTimeout(() => {
        const { retryAfter, until } = laterThan(Date.now(), endpoint.name);
        askedUntil.set(endpoint, until);
        res.writeHead(503, { "retry-after": retryAfter }).end();
      }, RESPONSE_MS);
    });
    await untilHeld(own);
    await sleep(FAN_OUT_MS);
    await untilHeld(own);
    const heldFrom = Date.now();
    own.behave(() => 200);
    for (const names of [["webhooks-1", "webhooks-2"], ["webhooks-1"]]) {
      for (const name of names) platform.process(name).kill();
      await platform.untilReady();
    }
    await sleep(Math.max(0, ...[...askedUntil.values()].map((time) => time - Date.now())));
    await own.stopTraffic();
    await own.untilDrained();
    for (const endpoint of own.endpoints) {
      const deliveries = await own.deliveriesTo(endpoint);
      checkHold(context, endpoint, deliveries, { heldFrom, heldUntil: askedUntil.get(endpoint) ?? 0 });
      checkAttempts(context, endpoint, deliveries);
      if (own.missingAt(endpoint) > 0)
        fail(`${own.missingAt(endpoint)} events did not arrive (${endpoint.name})`);
    }
  },
};

function laterThan(now: number, name: string): { retryAfter: string; until: number } {
  if (name === IN_SECONDS) return { retryAfter: String(HOLD_MS / 1_000), until: now + HOLD_MS };
  const retryAfter = new Date(now + HOLD_MS).toUTCString();
  return { retryAfter, until: Date.parse(retryAfter) };
}

async function untilHeld(own: OwnEndpoints): Promise<void> {
  await until("the holds", async () =>
    (await own.states()).every(({ heldUntil, claimed }) => heldUntil !== null && claimed === 0),
  );
}

function checkHold(
  { note, fail }: FaultContext,
  { name, arrivals }: OwnEndpoint,
  deliveries: readonly RecordedDelivery[],
  { heldFrom, heldUntil }: { heldFrom: number; heldUntil: number },
): void {
  // A start is recorded even if the endpoint did not see the request.
  const starts = [...arrivals, ...deliveries.flatMap(({ timedOut }) => timedOut)];
  const early = starts.filter(({ at }) => at >= heldFrom && at < heldUntil - ROUNDING_MS);
  if (early.length > 0) fail(`${early.length} attempts while the endpoint was held (${name})`);
  const asked = arrivals.filter(({ isAccepted }) => !isAccepted);
  const [first] = arrivals.filter(({ at }) => at >= heldUntil - ROUNDING_MS);
  const afterMs = first === undefined ? "never" : `${first.at - heldUntil} ms`;
  note(
    `${name}: responded ${asked.length} times with 503; held for ${((heldUntil - heldFrom) / 1_000).toFixed(1)} s more; the next attempt came ${afterMs} later`,
  );
}

/**
 * Each delivery has used up exactly the attempts that the endpoint saw, or that timed out: a process that is killed records none,
 * and the endpoint stays up.
 */
function checkAttempts(
  { note, fail }: FaultContext,
  endpoint: OwnEndpoint,
  deliveries: readonly RecordedDelivery[],
): void {
  const undelivered = deliveries.filter(({ status }) => status !== "delivered");
  if (undelivered.length > 0) fail(`${undelivered.length} deliveries were not delivered (${endpoint.name})`);
  const attempts = attemptsOf(endpoint.arrivals);
  const seen = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  const madeFor = ({ id, timedOut }: RecordedDelivery) =>
    new Set([...(seen.get(id) ?? []), ...timedOut].map(({ attempt }) => attempt)).size;
  const charged = deliveries.filter((delivery) => delivery.attemptCount !== madeFor(delivery));
  if (charged.length > 0)
    fail(`${charged.length} deliveries used up other attempts than were made (${endpoint.name})`);
  const timedOut = deliveries.flatMap((delivery) => delivery.timedOut);
  note(
    `${endpoint.name}: ${deliveries.length} deliveries, ${attempts.length} attempts seen, ${timedOut.length} timed out`,
  );
}
