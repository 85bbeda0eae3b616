// Runs only the gateway, on its own database and with tenants to use it as. A test sets the URLs of the services.
import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { identifyBySignature } from "@tradepost/http";
import { connectPostgres, tenantOf } from "@tradepost/postgres";
import { createLogger, readSettings } from "@tradepost/runtime";
import {
  type ApiClient,
  apiClient,
  authenticator,
  bearer,
  CHEAP_COST,
  type ClientResponse,
  cheapHash,
  createServiceDatabase,
  createTestBroker,
  readMetrics,
  startFaultProxy,
} from "@tradepost/testing";
import { settings } from "../../src/config.ts";
import { createTenant } from "../../src/identity/tenants/create-tenant.ts";
import { insertUser, type User } from "../../src/identity/users/user-store.ts";
import { type StartOptions, startGateway } from "../../src/service.ts";
import type { Tables } from "../../src/tables.ts";
import { holdLocks } from "./hold-locks.ts";

export type TestGateway = Awaited<ReturnType<typeof startTestGateway>>;
export type TestTenant = Awaited<ReturnType<TestGateway["createTenant"]>>;
export type TestStaff = Awaited<ReturnType<TestGateway["createStaff"]>>;

type TestKey = Record<"id" | "keyId" | "key" | "createdAt" | "expiresAt", string> & {
  readonly allowedAddresses: readonly string[];
};

// No machine that runs the tests accepts connections on port 9.
const NOWHERE = "http://127.0.0.1:9";
/** The password of the users that `createStaff` makes. */
export const PASSWORD = "correct horse battery";
export const OTHER_PASSWORD = "a horse of another colour";
const GATEWAY_SECRET = "what the gateway shares with each service";

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
  const from = (address = nextAddress()) => ({ "x-forwarded-for": address });
  const as = (credential: string, url = gateway.url) => apiClient(url, bearer(credential));
  const signIn = async (
    email: string,
    password = PASSWORD,
    { url = gateway.url, headers = {} }: { url?: string; headers?: Record<string, string> } = {},
  ) => {
    const login = { email, password };
    const response = await apiClient(url).post("/v1/auth/login", login, { ...from(), ...headers });
    const client = as(response.body.data?.token ?? "", url);
    return { ...response, client, cookie: cookieOf(response) };
  };
  /** Changes rows as no request does. */
  const update = (table: keyof Tables, where: Record<string, string>, columns: object) =>
    db
      .updateTable(table as "users")
      .set(columns as never)
      .where((eb) => eb.and(where as never))
      .execute();
  return {
    url: gateway.url,
    anyone: apiClient(gateway.url),
    /** With the token of a user or the secret of a key. */
    as,
    /** Signs in from an address of its own, unless `headers` name one. The client has a token if the sign-in succeeds. */
    signIn,
    /** Needs METRICS_PORT, here or in the settings of the replica. */
    metrics: ({ metricsUrl } = gateway) => readMetrics(new URL(metricsUrl ?? "").origin),
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
    /** The header with an address that no other request comes from. */
    from,
    update,
    setSuspended: (tenantId: string, isSuspended: boolean) =>
      update("tenants", { id: tenantId }, { suspended_at: isSuspended ? new Date() : null }),
    /** Sends all requests while the rows are locked, and unlocks them once each request waits. */
    race: async <Result>(rows: string, value: string, requests: readonly (() => Promise<Result>)[]) => {
      const locks = await holdLocks(database.url, `select from ${rows} = $1 for update`, [value]);
      const racing = requests.map((send) => send());
      await locks.waiters(requests.length);
      await locks.release();
      return await Promise.all(racing);
    },
    /** A tenant whose owner has signed in. The owner's password takes no time to verify. */
    createTenant: async () => {
      const slug = `t-${randomBytes(4).toString("hex")}`;
      const given = { slug, name: "Test Shop", ownerEmail: `owner@${slug}.example` };
      const { tenantId, owner } = await createTenant(
        db,
        { ...given, modules: ["crm", "content"] },
        cheapHash,
      );
      const { id: ownerId, email, password } = owner;
      const { client, body } = await signIn(email, password);
      return {
        tenantId,
        slug,
        owner: client,
        ownerId,
        email,
        password,
        token: body.data.token as string,
        /** The entries of the audit log, newest first. */
        audit: async (query = "") => (await client.get(`/v1/audit-log?${query}`)).body.data,
      };
    },
    /** A user who has signed in, from an address of its own. */
    createStaff: async (
      { tenantId, slug }: { tenantId: string; slug: string },
      role: User["role"] = "viewer",
    ) => {
      staffCount += 1;
      const email = `${role}${staffCount}@${slug}.example`;
      const user = { email, name: `${role} ${staffCount}`, role, passwordHash: cheapHash(PASSWORD) };
      const { id } = await insertUser(tenantOf(db, tenantId), user);
      return { id, email, client: (await signIn(email)).client };
    },
    /** A key without scopes, if none are named, and a client with it. */
    createKey: async ({ owner }: { owner: ApiClient }, scopes: readonly string[] = [], more: object = {}) => {
      const { body } = await owner.post("/v1/api-keys", { label: "Key", scopes, ...more });
      const created: TestKey = body.data;
      return { ...created, client: as(created.key) };
    },
    protect: async (client: ApiClient, currentPassword = PASSWORD) => {
      const setUp = await client.post("/v1/me/second-factor", { currentPassword }, from());
      const secret: string = setUp.body.data.secret;
      const app = authenticator(secret);
      const code = { code: await app.unused() };
      const { body } = await client.post("/v1/me/second-factor/confirm", code, from());
      return { app, secret, recoveryCodes: body.data.recoveryCodes as string[] };
    },
    stop: () => running.disposeAsync(),
  };
}

/** The caller whom the gateway has signed into a request to a service. Rejects unless it is signed with the secret. */
export function principalOf(req: IncomingMessage, secret = GATEWAY_SECRET) {
  return identifyBySignature([secret])({ req, responseHeaders: {}, atEnd: () => undefined });
}

export function outcome({ status, body }: ClientResponse): [number, string | undefined] {
  return [status, body.error?.code];
}

export async function isIn(client: ApiClient): Promise<boolean> {
  const { status } = await client.get("/v1/me");
  expect([200, 401]).toContain(status);
  return status === 200;
}

/** A cookie that a response sets; without a name the first one, which is the session's after a sign-in. */
export function cookieOf({ headers }: Pick<ClientResponse, "headers">, name = ""): string {
  const found = headers.getSetCookie().find((cookie) => cookie.startsWith(name));
  return found?.split(";", 1)[0] ?? "";
}
