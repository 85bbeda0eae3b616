// Creates the tenant of the examples, as an operator does.
import { createTenant, type Tables } from "@tradepost/gateway/operate";
import { connectPostgres } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import type { TestPlatform } from "../test-platform.ts";
import type { Shop } from "./identity-story.ts";

export async function openShop({ databases }: Pick<TestPlatform, "databases">): Promise<Shop> {
  const logger = createLogger("test", "silent");
  const postgres = connectPostgres<Tables>({
    url: databases.gateway,
    name: "test",
    connectionsMax: 1,
    logger,
  });
  const { owner } = await createTenant(postgres.db, {
    slug: "harbour-goods",
    name: "Harbour Goods",
    ownerEmail: "owner@harbour-goods.example",
    modules: ["crm", "content"],
  }).finally(() => postgres.stop());
  return { ownerEmail: owner.email, ownerPassword: owner.password };
}
