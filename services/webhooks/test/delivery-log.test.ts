// The API lists open and ended deliveries together, although they are in two tables: none is missed or listed twice while
// it moves between them. Equal response bodies are stored once. Statistics count the attempts by time (interface §19).
import { readPages, until } from "@tradepost/testing";
import { useWebhooks } from "./support/use-webhooks.ts";
import { faultsOf, type Json } from "./support/webhooks.ts";

const PATH = "/v1/webhooks/deliveries";

// So long that no attempt times out during a test.
const { webhooks, receiver, tenant } = useWebhooks({
  WEBHOOKS_RETRY_SCHEDULE: "20ms",
  WEBHOOKS_TIMEOUT_MS: "60000",
});

describe("the delivery log", () => {
  const ids = async (query: string) => (await tenant.get(`deliveries?${query}`)).map(({ id }: Json) => id);
  const delivered = async () => (await ids("status=delivered&limit=100")).length;
  test("is listed page by page without gaps or repeats while deliveries end", async () => {
    const gates: (() => void)[] = [];
    receiver.behave(() => (res) => void gates.push(() => res.writeHead(200).end()));
    const { id } = await tenant.subscribe("/hook");
    await tenant.emitMany(30);
    await tenant.untilDeliveries(id, 30);
    const expected = await ids("limit=100");
    expect(expected).toHaveLength(30);
    await until("some attempts in progress", () => gates.length > 0);
    const pages = await readPages(tenant.owner(), `${PATH}?limit=4`, async () => {
      // All attempts in progress end before the next page is read.
      const before = await delivered();
      const open = gates.splice(0);
      for (const respond of open) respond();
      await until("they have ended", async () => (await delivered()) >= before + open.length);
    });
    const seen = pages.flat().map(({ id }) => id);
    const statuses = pages.flat().map(({ status }) => status);
    expect(seen).toEqual(expected);
    // Both tables were read.
    expect(new Set(statuses)).toEqual(new Set(["pending", "delivered"]));
    receiver.behave(() => 200);
    await until("all of them", async () => {
      for (const respond of gates.splice(0)) respond();
      return (await delivered()) === 30;
    });
    expect(await ids("limit=100")).toEqual(expected);
  });

  test("stores the same response body once for each tenant and day, and shows it with each attempt", async () => {
    const { id } = await tenant.subscribe("/hook");
    await tenant.emitMany(100);
    await tenant.untilAll(id, "delivered", 100);
    const text = "select day, count(*)::int from response_bodies where tenant_id = $1 group by day";
    const rows = await webhooks.query(text, tenant.tenantId);
    // Two rows if the test runs across midnight.
    expect(rows.map(({ count }) => count)).toEqual(rows.map(() => 1));
    expect(rows.length).toBeGreaterThan(0);
    for (const delivery of (await ids("limit=100")).slice(0, 5)) {
      expect((await tenant.delivery(delivery)).attempts).toMatchObject([{ responseBody: "answered 200" }]);
    }
  });

  test("shows a missing response body as an empty one", async () => {
    receiver.behave(() => (res) => void res.writeHead(204).end());
    const { delivery } = await tenant.deliver("/hook");
    expect(delivery.attempts).toMatchObject([{ statusCode: 204, responseBody: "" }]);
  });
});

describe("the statistics of attempts", () => {
  const get = async (query: Record<string, string>, caller = tenant.owner()) =>
    await caller.get(`/v1/webhooks/statistics?${new URLSearchParams(query)}`);
  const buckets = async (query: Record<string, string>): Promise<Json[]> =>
    (await get(query)).body.data.buckets;
  const NOTHING = { attempts: 0, delivered: 0, failed: 0, durationP50Ms: null, durationP95Ms: null };
  const sum = (of: readonly Json[], name: "attempts" | "delivered" | "failed") =>
    of.reduce((total, bucket) => total + bucket[name], 0);

  test("counts attempts of one subscription or of all, and agrees with the log", async () => {
    const ok = await tenant.subscribe("/ok");
    const failing = await tenant.subscribe("/failing");
    receiver.behave(({ path }) => (path === "/ok" ? 200 : 500));
    await tenant.emitMany(3);
    await until("all attempts", async () => sum(await buckets({ by: "minute" }), "attempts") === 9);
    const all = await buckets({ by: "hour" });
    expect([sum(all, "attempts"), sum(all, "delivered"), sum(all, "failed")]).toEqual([9, 3, 6]);
    const ofOk = await buckets({ subscriptionId: ok.id });
    expect([sum(ofOk, "attempts"), sum(ofOk, "delivered")]).toEqual([3, 3]);
    const ofFailing = await buckets({ subscriptionId: failing.id, by: "day" });
    expect([sum(ofFailing, "attempts"), sum(ofFailing, "failed")]).toEqual([6, 6]);
    const none = (await get({}, webhooks.tenant().owner())).body.data;
    expect(sum(none.buckets, "attempts")).toBe(0);
    expect(none.total).toEqual(NOTHING);
  });

  test("has every bucket of the time, with percentiles, inclusive from and exclusive to", async () => {
    const { id, deliveryId } = await tenant.deliver("/hook");
    const hour = `${new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 13)}:00:00.000Z`;
    await webhooks.query(
      `insert into attempts (tenant_id, delivery_id, generation, attempt, at, duration_ms, outcome, subscription_id)
       select $1, $2, 2, number, $3::timestamptz + (number - 1) * interval '36 s', number, case when number > 90 then 'timeout' else 'delivered' end, $4
         from generate_series(1, 101) as number`,
      tenant.tenantId,
      deliveryId,
      hour,
      id,
    );
    const after = (minutes: number) => new Date(Date.parse(hour) + minutes * 60_000).toISOString();
    const period = { subscriptionId: id, from: hour, to: after(120) };
    expect(await buckets({ ...period, by: "hour" })).toEqual([
      { at: hour, attempts: 100, delivered: 90, failed: 10, durationP50Ms: 50, durationP95Ms: 95 },
      { ...NOTHING, at: after(60), attempts: 1, failed: 1, durationP50Ms: 101, durationP95Ms: 101 },
    ]);
    expect((await get({ ...period, by: "hour" })).body.data.total).toEqual({
      ...{ attempts: 101, delivered: 90, failed: 11, durationP50Ms: 51, durationP95Ms: 96 },
    });
    const minutes = await buckets({ ...period, by: "minute" });
    expect(minutes).toHaveLength(120);
    expect(sum(minutes, "attempts")).toBe(101);
    expect(minutes[61]).toEqual({ ...NOTHING, at: after(61) });
  });

  test("refuses more than 400 buckets, and names every field at fault", async () => {
    const day = { from: "2026-11-01T00:00:00Z", to: "2026-11-18T00:00:00Z", by: "hour" };
    const paths = async (query: Record<string, string>) => faultsOf(await get(query));
    expect(await paths(day)).toEqual([422, "by"]);
    expect(await paths({ ...day, by: "day" })).toEqual([200]);
    const ever = { from: "0001-01-01T00:00:00Z", to: "9999-01-01T00:00:00Z", by: "minute" };
    expect(await paths(ever)).toEqual([422, "by"]);
    expect(await paths({ ...day, from: day.to })).toEqual([422, "to"]);
    const refused = await paths({ from: "x", to: "y", by: "week", subscriptionId: "z", page: "1" });
    expect(refused).toEqual([422, "by", "from", "page", "subscriptionId", "to"]);
  });
});
