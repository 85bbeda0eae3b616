// A service that does not respond delays neither the counts of the other services nor the notices (interface §19).
import { test } from "@jest/globals";
import { createLogger } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { sql } from "kysely";
import { startUsage } from "../src/usage/start-usage.ts";
import { useGateway } from "./support/test-gateway.ts";

// More than are checked at a time.
const TENANTS = 20;

const gateway = await useGateway();

test.each(["orders", "content"] as const)("others are counted while %s hangs", async (hanging) => {
  const tenants = [];
  for (let number = 0; number < TENANTS; number++) tenants.push(await gateway.createTenant());
  const released = Promise.withResolvers<void>();
  const noticed = new Set<string>();
  let isHanging = true;
  const usage = startUsage({
    db: gateway.db,
    ask: async (service, tenantId, { method }) => {
      if (method === "PUT") return void noticed.add(tenantId);
      if (service === hanging && isHanging) await released.promise;
      return { bytes: { mediaBytes: service === "webhooks" ? 90 : 0, eventBytes: 1 }, counts: null };
    },
    quotasOfSettings: { mediaBytes: 100, eventBytes: 0 },
    checkEveryMs: 20,
    logger: createLogger("test", "silent"),
  });
  for (const { tenantId, ownerId } of tenants)
    usage.note({
      method: "POST",
      principal: {
        tenantId,
        ...{ role: "owner", actor: { type: "user", id: ownerId, name: "a" }, scopes: [], modules: [] },
      },
    } as unknown as Parameters<typeof usage.note>[0]);
  const ids = tenants.map(({ tenantId }) => tenantId);
  const counted = async () => {
    const { rows } = await sql<{ service: string }>`
      select service from tenant_usage where tenant_id = any(${ids}::uuid[])`.execute(gateway.db);
    const services = ["orders", "content", "webhooks"] as const;
    return services.map((service) => rows.filter((row) => row.service === service).length);
  };
  const of = (service: string) => (service === hanging ? 0 : TENANTS);
  try {
    const expected = [of("orders"), of("content"), of("webhooks")];
    await until("the others are counted", async () => (await counted()).join() === expected.join());
    await until("the notices", () => noticed.size === TENANTS);
  } finally {
    isHanging = false;
    released.resolve();
  }
  await until("all are counted", async () => (await counted()).join() === [TENANTS, TENANTS, TENANTS].join());
  await usage.stop();
});
