// Runs only the gateway, on its own database and with tenants to use it as. A test sets the URLs of the services.
import { randomBytes } from "node:crypto";
import { afterAll } from "@jest/globals";
import { connectPostgres, tenantOf } from "@tradepost/postgres";
import { createLogger, readSettings } from "@tradepost/runtime";
import {
  type ApiClient,
  apiClient,
  bearer,
  CHEAP_COST,
  type ClientResponse,
  cheapHash,
  createServiceDatabase,
  createTestBroker,
  startFaultProxy,
} from "@tradepost/testing";
import { OPERATOR } from "../../src/audit-log/audit-log.ts";
import { settings } from "../../src/config.ts";
import { insertTenant } from "../../src/identity/tenants/tenant-store.ts";
import type { User } from "../../src/identity/users/user.ts";
import { insertUser } from "../../src/identity/users/user-store.ts";
import { type StartOptions, startGateway } from "../../src/service.ts";
import type { Tables } from "../../src/tables.ts";

export interface TestTenant {
  readonly tenantId: string;
  readonly slug: string;
  readonly owner: ApiClient;
  readonly ownerId: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

export interface TestStaff {
  readonly id: string;
  readonly email: string;
  readonly client: ApiClient;
}

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>;

// No machine that runs the tests accepts connections on port 9.
const NOWHERE = "http://127.0.0.1:9";
/** Of the users that `createStaff` makes. */
export const PASSWORD = "correct horse battery";
export const GATEWAY_SECRET = "what the gateway shares with each service";

/** Starts a gateway that stops after the last test of the file. */
export async function useGateway(...options: Parameters<typeof startTestGateway>): Promise<TestGateway> {
  const gateway = await startTestGateway(...options);
  afterAll(() => gateway.stop());
  return gateway;
}

/** `overrides` are settings, most often ORDERS_URL and TOKEN_SIGNING_KEYS. Passwords take no time to hash without `options`. */
export async function startTestGateway(
  overrides: Record<string, string> = {},
  options: StartOptions = { passwordCost: CHEAP_COST },
) {
  const running = new AsyncDisposableStack();
  const logger = createLogger("test", "silent");
  const [database, broker] = await Promise.all([createServiceDatabase("gateway"), createTestBroker()]);
  running.defer(database.drop);
  running.defer(broker.drop);
  const databaseLink = await startFaultProxy(database.serviceUrl);
  running.defer(databaseLink.stop);
  const startReplica = async (extra: Record<string, string> = {}, log = logger) => {
    const replica = await startGateway(readSettings(settings, { ...shared, ...extra }), log, options);
    running.defer(replica.stop);
    return replica;
  };
  const shared = {
    PORT: "0",
    DRAIN_IDLE_MS: "0",
    // No limits, except in tests of limits.
    RATE_LIMIT_PER_SECOND: "0",
    TENANT_RATE_LIMIT_PER_SECOND: "0",
    TENANT_CONCURRENCY_MAX: "0",
    GATEWAY_DATABASE_URL: databaseLink.url,
    AMQP_URL: broker.amqpUrl,
    ORDERS_URL: NOWHERE,
    CONTENT_URL: NOWHERE,
    WEBHOOKS_URL: NOWHERE,
    ORDERS_GATEWAY_SECRET: GATEWAY_SECRET,
    CONTENT_GATEWAY_SECRET: GATEWAY_SECRET,
    WEBHOOKS_GATEWAY_SECRET: GATEWAY_SECRET,
    TOKEN_SIGNING_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    ...overrides,
  };
  const gateway = await startReplica();
  const postgres = connectPostgres<Tables>({ url: database.url, name: "test", connectionsMax: 2, logger });
  running.defer(postgres.stop);
  const { db } = postgres;
  let staffCount = 0;
  let addressCount = 0;
  const nextAddress = () => {
    addressCount += 1;
    return `198.18.${Math.floor(addressCount / 250)}.${(addressCount % 250) + 1}`;
  };
  return {
    url: gateway.url,
    /** Undefined without METRICS_PORT. */
    metricsUrl: gateway.metricsUrl,
    /** A proxy between the gateway and its database. `db` does not use it. */
    databaseLink,
    db,
    databaseUrl: database.url,
    /** As the service's own login. */
    serviceUrl: database.serviceUrl,
    amqpUrl: broker.amqpUrl,
    /** Starts another gateway on the same database, with the settings of this one and `extra`. */
    startReplica,
    /** An address that no other request of the file comes from. */
    nextAddress,
    setSuspended: (tenantId: string, isSuspended: boolean) =>
      db
        .updateTable("tenants")
        .set({ suspended_at: isSuspended ? new Date() : null })
        .where("id", "=", tenantId)
        .execute(),
    /** A tenant whose owner has signed in. The owner's password takes no time to verify. */
    createTenant: async (): Promise<TestTenant> => {
      const slug = `t-${randomBytes(4).toString("hex")}`;
      const email = `owner@${slug}.example`;
      const password = randomBytes(18).toString("base64url");
      const owner = { email, passwordHash: cheapHash(password) };
      const { tenantId, ownerId } = await insertTenant(
        db,
        { slug, name: "Test Shop", modules: ["crm", "content"], owner },
        OPERATOR,
      );
      const login = await apiClient(gateway.url).post("/v1/auth/login", { email, password });
      const token: string = login.body.data.token;
      const asOwner = apiClient(gateway.url, bearer(token));
      return { tenantId, slug, owner: asOwner, ownerId, email, password, token };
    },
    /** A user who has signed in, from an address of its own. */
    createStaff: async (
      { tenantId, slug }: TestTenant,
      role: User["role"] = "viewer",
    ): Promise<TestStaff> => {
      staffCount += 1;
      const email = `${role}${staffCount}@${slug}.example`;
      const user = { email, name: `${role} ${staffCount}`, role, passwordHash: cheapHash(PASSWORD) };
      const { id } = await insertUser(tenantOf(db, tenantId), user);
      const login = { email, password: PASSWORD };
      const { body } = await apiClient(gateway.url).post("/v1/auth/login", login, {
        "x-forwarded-for": nextAddress(),
      });
      return { id, email, client: apiClient(gateway.url, bearer(body.data.token)) };
    },
    stop: () => running.disposeAsync(),
  };
}

export function outcome({ status, body }: ClientResponse): [number, string | undefined] {
  return [status, body.error?.code];
}
