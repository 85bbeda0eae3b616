// Makes the demo tenant that `npm start` shows off with: by the operators' own act and over the public API, as a
// customer of the platform would.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createTenant, type Tables } from "@tradepost/gateway/operate";
import { connectPostgres } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import { apiClient, bearer, type ClientResponse } from "@tradepost/testing";

export interface Demo {
  readonly tenantId: string;
  readonly slug: string;
  readonly ownerEmail: string;
  readonly ownerPassword: string;
  readonly apiKey: string;
  readonly customerId: string;
}

const ALL_SCOPES = ["read:crm", "write:crm", "write:crm_bulk", "read:content", "write:content"];

/** Out: the demo tenant of this data directory, made at the first call and found again at later ones. */
export async function seedDemo(options: {
  gatewayUrl: string;
  gatewayDatabaseUrl: string;
  dataDir: string;
}): Promise<Demo> {
  const file = path.join(options.dataDir, "demo.json");
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Demo) : null;
  if (known !== null && (await stillHolds(known, options.gatewayUrl))) return known;
  const demo = await makeDemo(options.gatewayUrl, options.gatewayDatabaseUrl);
  writeFileSync(file, JSON.stringify(demo, null, 2), { mode: 0o600 });
  return demo;
}

/** False where the databases are others than those the demo was made in. */
async function stillHolds(demo: Demo, gatewayUrl: string): Promise<boolean> {
  const me = await apiClient(gatewayUrl, bearer(demo.apiKey)).get("/v1/me");
  return me.status === 200;
}

async function makeDemo(gatewayUrl: string, gatewayDatabaseUrl: string): Promise<Demo> {
  const { tenantId, slug, owner } = await makeTenant(gatewayDatabaseUrl);
  const login = await apiClient(gatewayUrl).post("/v1/auth/login", {
    email: owner.email,
    password: owner.password,
  });
  const asOwner = apiClient(gatewayUrl, bearer(dataOf(login, 200).token));
  const key = await asOwner.post("/v1/api-keys", { label: "Demo key", scopes: ALL_SCOPES });
  const customer = await asOwner.post("/v1/customers", { name: "Ada Lovelace", email: "ada@example.com" });
  return {
    tenantId,
    slug,
    ownerEmail: owner.email,
    ownerPassword: owner.password,
    apiKey: dataOf(key, 201).key,
    customerId: dataOf(customer, 201).id,
  };
}

/** A start that was cut off half-way leaves a tenant whose secrets nobody knows; the next takes another name. */
async function makeTenant(gatewayDatabaseUrl: string) {
  const logger = createLogger("start", "silent");
  const gateway = connectPostgres<Tables>({
    url: gatewayDatabaseUrl,
    name: "start",
    connectionsMax: 1,
    logger,
  });
  try {
    const { exists } = await gateway.db
      .selectFrom("tenants")
      .select((is) => is.fn.countAll<string>().as("exists"))
      .where("slug", "=", "demo")
      .executeTakeFirstOrThrow();
    const slug = exists === "0" ? "demo" : `demo-${randomBytes(3).toString("hex")}`;
    return await createTenant(gateway.db, {
      slug,
      name: "Demo Shop",
      ownerEmail: `owner@${slug}.example`,
      modules: ["crm", "content"],
    });
  } finally {
    await gateway.stop();
  }
}

function dataOf(response: ClientResponse, expectedStatus: number) {
  if (response.status !== expectedStatus) {
    throw new Error(`The demo tenant could not be made: ${response.status} ${JSON.stringify(response.body)}`);
  }
  return response.body.data;
}
