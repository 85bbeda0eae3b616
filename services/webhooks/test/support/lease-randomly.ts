// Runs random clients of a listener on two replicas: they succeed, fail, repeat a result, report late, or die with their leases, while
// the listener expires and connections to the database are lost. The seed determines the choices but not their timing.
import { sleep } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import type { Leased, TestListener } from "./listen.ts";
import type { TestWebhooks } from "./webhooks.ts";

interface Lease {
  readonly deliveryId: string;
  readonly attempt: number;
  /** On the database's clock, in ms. */
  readonly from: number;
  readonly until: number;
}

export interface RandomLeases {
  readonly leases: readonly Lease[];
  /** By delivery id: the results that were reported and counted, in their order. */
  readonly counted: ReadonlyMap<string, readonly { readonly attempt: number; readonly statusCode: number }[]>;
}

const CLIENTS = 6;

/** Runs until every delivery has ended. */
export async function leaseRandomly(
  webhooks: TestWebhooks,
  listener: TestListener,
  random: () => number,
): Promise<RandomLeases> {
  const replica = await webhooks.startReplica();
  const leases: Lease[] = [];
  const counted = new Map<string, { attempt: number; statusCode: number }[]>();
  let isOver = false;

  const report = async ({ deliveryId, attempt, leaseId }: Leased) => {
    const statusCode = random() < 0.5 ? 200 : 500;
    const result = { leaseId, attempt, statusCode, durationMs: 1 };
    const times = random() < 0.2 ? 2 : 1;
    const responses = await Promise.all(
      Array.from({ length: times }, () => listener.report(deliveryId, result).catch(() => null)),
    );
    // A request that is lost with its connection may have counted or not. It is repeated, as a client does.
    for (const response of responses) {
      const { status } =
        response?.status === 503 || response === null ? await again(deliveryId, result) : response;
      if (status === 200) {
        const known = counted.get(deliveryId) ?? [];
        if (!known.some((one) => one.attempt === attempt)) known.push({ attempt, statusCode });
        counted.set(deliveryId, known);
      } else if (status !== 409) throw new Error(`the result was refused: ${status}`);
    }
  };
  const again = async (deliveryId: string, result: unknown) =>
    await until("a response", async () => {
      const response = await listener.report(deliveryId, result).catch(() => null);
      return response !== null && response.status !== 503 && response;
    });

  const client = async (url: string | undefined) => {
    while (!isOver) {
      const limit = 1 + Math.floor(random() * 5);
      const leased = await listener
        .lease({ limit, waitSeconds: random() < 0.5 ? 0 : 1 }, url)
        .catch(() => []);
      for (const one of leased) {
        const from = Date.parse(JSON.parse(one.body).delivered_at);
        leases.push({ ...one, from, until: Date.parse(one.leasedUntil) });
      }
      const fate = random();
      // Its leases run out.
      if (fate < 0.15) continue;
      if (fate < 0.3) await sleep(250);
      await Promise.all(leased.map(report));
    }
  };
  const trouble = async () => {
    while (!isOver) {
      await sleep(100 + random() * 200);
      if (random() < 0.3) {
        await webhooks.pool.query("update listeners set expires_at = now() where subscription_id = $1", [
          listener.id,
        ]);
      } else if (random() < 0.5) {
        await webhooks.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'webhooks.leases'`,
        );
      }
    }
  };
  const running = [
    trouble(),
    ...Array.from({ length: CLIENTS }, (_, index) => client(index % 2 === 0 ? undefined : replica.url)),
  ];
  await until("all deliveries to end", async () => {
    const { rows } = await webhooks.pool.query("select from deliveries where subscription_id = $1 limit 1", [
      listener.id,
    ]);
    return rows.length === 0;
  });
  isOver = true;
  await Promise.all(running);
  return { leases, counted };
}
