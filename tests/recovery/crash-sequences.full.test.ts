// Executions of the model in which processes die several times, run against the services: both die at the same fail points in the
// same order, and the delivery ends as it does in the model.
import { type CrashingService, type CrashPlatform, startCrashPlatform } from "../support/crash-platform.ts";
import { newCrashTenant } from "../support/crash-tenant.ts";
import { describeWithSpin, simulateDeliveryModel } from "../support/spin.ts";

const EXECUTIONS = 120;
const SEQUENCES = 5;
const TIMEOUT_MS = 600_000;
const MODEL = { ONLY_DEATHS: true, EVENTS: 1, SUBSCRIPTIONS: 1, ATTEMPTS: 2, FAULTS: 3 } as const;
/** As the model prints the statuses of deliveries. */
const STATUSES: Readonly<Record<string, "delivered" | "failed">> = { 3: "delivered", 4: "failed" };

interface Sequence {
  readonly deaths: Readonly<Record<CrashingService, readonly string[]>>;
  readonly status: "delivered" | "failed";
}

describeWithSpin("processes that die as in an execution of the model", () => {
  let platform: CrashPlatform;
  beforeAll(async () => {
    platform = await startCrashPlatform();
  });
  afterAll(() => platform?.stop());
  beforeEach(() => platform.startAgain("content", "webhooks"));

  const sequences = describeWithSpin === describe ? chooseSequences() : [];
  test(`have ${SEQUENCES} sequences of deaths`, () => {
    expect(sequences).toHaveLength(SEQUENCES);
  });

  test.each(sequences.map((one) => [nameOf(one), one] as const))(
    "lose nothing: %s",
    async (_, { deaths, status }) => {
      // The first attempt fails in any case, so that each fail point is reached.
      const tenant = await newCrashTenant(platform, status === "failed" ? "dead" : "failing");
      const redirects = await tenant.createRedirects(1);
      const ended = (["content", "webhooks"] as const).map(async (service) => {
        const [first, ...others] = deaths[service];
        if (first === undefined) return;
        expect(await platform.failAt(service, first).ended).toBe("signal SIGKILL");
        const recover = async () => void (service === "webhooks" && (await tenant.expireLocks()));
        await recover();
        for (const at of others) {
          expect(await platform.startUntil(service, at)).toBe("signal SIGKILL");
          await recover();
        }
        await platform.startAgain(service);
      });
      await tenant.removeAll(redirects);
      await Promise.all(ended);

      await tenant.untilSettled(status);
      await tenant.untilQuiet();
      const deliveries = await tenant.deliveries();
      expect(deliveries.map(({ event_id }) => event_id)).toEqual(await tenant.committedEvents());
      const requests = [...tenant.requestCounts()].map(([of, count]) => ({ of, count }));
      expect(requests.map(({ of }) => of).sort()).toEqual([1, 2].map((n) => `${deliveries[0]?.id} ${n}`));
      const repeated = requests.reduce((sum, { count }) => sum + count - 1, 0);
      expect(repeated).toBeLessThanOrEqual(deaths.webhooks.length);
    },
    TIMEOUT_MS,
  );
});

/** Takes sequences in which a death follows another one for the first time, until there are enough. */
function chooseSequences(): Sequence[] {
  const known = new Set<string>();
  const chosen: Sequence[] = [];
  for (let seed = 1; seed <= EXECUTIONS && chosen.length < SEQUENCES; seed += 1) {
    const sequence = sequenceOf(simulateDeliveryModel(MODEL, seed));
    const pairs = Object.values(sequence.deaths).flatMap((points) =>
      points.slice(1).map((point, index) => `${points[index]} ${point}`),
    );
    if (pairs.every((pair) => known.has(pair)) || !isReachable(sequence)) continue;
    for (const pair of pairs) known.add(pair);
    chosen.push(sequence);
  }
  return chosen;
}

function sequenceOf(printed: readonly string[]): Sequence {
  const points = printed.flatMap((line) => line.match(/^dies at (\S+)$/)?.[1] ?? []);
  const printedStatus = printed.join("\n").match(/^delivery 0: status (\d)/m)?.[1];
  const status = STATUSES[printedStatus ?? ""];
  if (status === undefined)
    throw new Error(`An execution of the model ends with the status ${printedStatus} of the delivery.`);
  const isRelay = (point: string) => point.startsWith("relay.");
  return {
    deaths: { content: points.filter(isRelay), webhooks: points.filter((point) => !isRelay(point)) },
    status,
  };
}

/**
 * In the model fan-out and a worker die separately. In a service, whose message may be acknowledged by then, the worker's death
 * is the later.
 */
function isReachable({ deaths: { webhooks } }: Sequence): boolean {
  const isFanOut = webhooks.map((point) => point.startsWith("fan-out."));
  return isFanOut.lastIndexOf(true) <= isFanOut.filter(Boolean).length - 1;
}

function nameOf({ deaths: { content, webhooks }, status }: Sequence): string {
  return `${[...content, ...webhooks].join(", ")}; ${status}`;
}
