// Creates the demo tenant of `npm start`: the tenant as an operator does, everything else over the API.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createTenant } from "@tradepost/gateway/operate";
import { apiClient, bearer } from "@tradepost/testing";
import { setUpTenant, withGateway } from "./create-tenants.ts";
import type { Platform } from "./start-platform.ts";

export type Demo = Awaited<ReturnType<typeof createDemo>>;

const ALL_SCOPES = ["read:crm", "write:crm", "write:crm_bulk", "read:content", "write:content"];

const SHOP = {
  ...{ name: "Demo Shop", currency: "USD", timeZone: "America/New_York", locale: "en-US" },
  address: {
    ...{ line1: "12 Harbour Street", postalCode: "04101", city: "Portland, ME", country: "US" },
    ...{ phone: "+1 207 555 0142", email: "hello@demo.example" },
  },
};

export async function seedDemo({ url, databases, dataDir }: Platform): Promise<Demo> {
  const file = path.join(dataDir, "demo.json");
  const existing = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Demo) : null;
  if (existing !== null && (await isKnown(existing, url))) return existing;
  const demo = await createDemo(url, databases.gateway);
  writeFileSync(file, JSON.stringify(demo, null, 2), { mode: 0o600 });
  return demo;
}

/** False if the databases were replaced since the demo tenant was created. */
async function isKnown(demo: Demo, gatewayUrl: string): Promise<boolean> {
  const me = await apiClient(gatewayUrl, bearer(demo.apiKey)).get("/v1/me");
  return me.status === 200;
}

async function createDemo(gatewayUrl: string, gatewayDatabaseUrl: string) {
  const { tenantId, slug, owner } = await createDemoTenant(gatewayDatabaseUrl);
  const { apiKey, ownerToken, customerId } = await setUpTenant(gatewayUrl, owner, {
    ...{ slug, scopes: ALL_SCOPES, keyLabel: "Demo key" },
    customer: { name: "Ada Lovelace", email: "ada@example.com" },
  });
  const { status, text } = await apiClient(gatewayUrl, bearer(ownerToken)).patch("/v1/shop", SHOP);
  if (status !== 200) throw new Error(`The demo tenant could not be created: ${status} ${text}`);
  return { tenantId, slug, ownerEmail: owner.email, ownerPassword: owner.password, apiKey, customerId };
}

/** An interrupted start leaves a tenant `demo` whose password is lost; the next start uses another slug. */
function createDemoTenant(gatewayDatabaseUrl: string) {
  return withGateway(gatewayDatabaseUrl, async (db) => {
    const taken = await db.selectFrom("tenants").select("id").where("slug", "=", "demo").executeTakeFirst();
    const slug = taken === undefined ? "demo" : `demo-${randomBytes(3).toString("hex")}`;
    const ownerEmail = `owner@${slug}.example`;
    return await createTenant(db, { slug, name: SHOP.name, ownerEmail, modules: ["crm", "content"] });
  });
}
