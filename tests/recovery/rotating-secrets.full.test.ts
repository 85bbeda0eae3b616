// Follows docs/runbooks/rotating-secrets.md and replaces every secret of the platform while requests are made and webhooks are
// delivered, with two replicas of each service and rolling restarts. No request is refused, no delivery is lost or repeated, and
// at the end the old secrets are useless. The secrets are independent, so each rolling restart makes a step for several of them.
import { execFile } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  createBrokerUsers,
  createServiceRoles,
  execute,
  type PlatformSecrets,
  runScript,
  SERVICES,
  type ServiceName,
} from "@tradepost/devstack";
import { sleep } from "@tradepost/runtime";
import {
  type ApiClient,
  apiClient,
  bearer,
  createServiceDatabase,
  type Received,
  type Receiver,
  requestManagement,
  signedClient,
  startReceiver,
  until,
} from "@tradepost/testing";
import { connect } from "amqplib";
import { startLoad } from "../support/load.ts";
import { inThisProcess, startReplicas } from "../support/replicas.ts";
import { opsEnvironment } from "../support/run-ops.ts";
import { forServices } from "../support/services.ts";
import { createTestTenant, type TestTenant } from "../support/test-platform.ts";

const run = promisify(execFile);
const COPY_USER = fileURLToPath(new URL("../../deploy/copy-broker-user.mjs", import.meta.url));
const BEHIND_GATEWAY = ["orders", "content", "webhooks"] as const;
const SUBSCRIPTIONS = 3;
const PAUSE_MS = 50;
/** The path of the load's own subscription. */
const OF_LOAD = "/load";
// Before and after each rolling restart, requests of every kind are made this often.
const TURNS = 5;

const PATHS = { orders: "/v1/orders", content: "/v1/redirects", webhooks: "/v1/webhooks/subscriptions" };

const [platform, receiver] = await Promise.all([
  startReplicas(createServiceDatabase, inThisProcess),
  startReceiver(),
]);
const { next } = platform;
const { managementUrl } = platform.broker;
const users = await createBrokerUsers(platform.broker, next.gateway.secrets.brokerPasswords);
for (const service of SERVICES) next[service].amqpUrl = users[service];
for (const replica of [1, 2]) await platform.startAll(replica);
const tenant = await createTestTenant(platform.url, platform.databases.gateway.url);

describe("rotating every secret under load", () => {
  const logins: string[] = [];

  afterAll(async () => {
    await receiver.stop();
    await platform.stopAll();
    await execute(process.env.TEST_POSTGRES_URL ?? "", logins.map((login) => `drop role ${login};`).join(""));
    for (const { amqpUrl } of Object.values(next)) await deleteUser(amqpUrl);
  });

  test("refuses no request, loses and repeats no delivery, and ends with the new secrets only", async () => {
    const { gatewaySecrets, tokenSigningKeys, webhooksSealingKey } = next.gateway.secrets;
    const fresh = { orders: newSecret(), content: newSecret(), webhooks: newSecret() };
    const both = forEach((service) => `${fresh[service]},${gatewaySecrets[service]}`);
    const [newToken, newKey] = [`new:${newSecret()}`, newSecret()];
    const newSealing = `new:${newKey}`;
    /** Sets the secrets of the gateway and of the services, which change separately. Each service reads its own. */
    const set = (gateway: Partial<PlatformSecrets>, others: Partial<PlatformSecrets>) => {
      for (const service of SERVICES)
        Object.assign(next[service].secrets, service === "gateway" ? gateway : others);
    };
    const subscriptions = await subscribe(tenant, receiver);
    const { url } = platform;
    const load = await startLoad({ url, ...tenant }, `${receiver.url}${OF_LOAD}`);
    const session = startSession(url, tenant);
    await load.more(TURNS);
    const roll = async (services: readonly ServiceName[]) => {
      for (const replica of [1, 2]) {
        const names = services.map((service) => `${service}-${replica}` as const);
        await Promise.all(names.map((name) => platform.stop(name).then(() => platform.startReady(name))));
      }
      await load.more(TURNS);
    };

    // Creates second logins and users, which nobody uses yet.
    const oldLogins = await forServices(async (service) => next[service].databaseUrl);
    for (const service of SERVICES) {
      next[service].databaseUrl = await newLogin(service);
      next[service].amqpUrl = await copyUser(users[service]);
    }
    // Every process accepts the new secrets.
    set(
      { tokenSigningKeys: `${tokenSigningKeys},${newToken}` },
      { gatewaySecrets: both, webhooksSealingKeys: `old:${webhooksSealingKey},${newSealing}` },
    );
    await roll(SERVICES);
    // The new secrets are used; the old ones are still accepted.
    const sealing = `${newSealing},old:${webhooksSealingKey}`;
    set(
      { gatewaySecrets: fresh, tokenSigningKeys: `${newToken},${tokenSigningKeys}` },
      { webhooksSealingKeys: sealing },
    );
    await roll(["gateway", "webhooks"]);
    const [resealed] = await Promise.all([reseal(sealing), session.rotateSecret(subscriptions[0])]);
    expect(resealed.resealed).toBeGreaterThanOrEqual(2 * SUBSCRIPTIONS - 1);
    expect(await reseal(sealing)).toEqual({ resealed: 0 });
    // No process accepts the old secrets any more.
    set(
      { tokenSigningKeys: newToken },
      { gatewaySecrets: fresh, webhooksSealingKeys: newSealing, webhooksSealingKey: newKey },
    );
    await roll(SERVICES);

    await Promise.all([load.finish(), session.stop()]);
    expect([...load.refused, ...session.refused]).toEqual([]);
    const { orders, contentFeed: redirects } = load.seen;
    expect(await query("orders", "select count(*)::int from orders")).toEqual([{ count: orders.length }]);
    const hooks = () => receiver.received.filter(({ path }) => path !== OF_LOAD);
    const expected = redirects.length * SUBSCRIPTIONS;
    await until("every delivery", () => hooks().length >= expected);
    const ids = hooks().map(({ headers }) => headers["x-service-delivery"]);
    expect([new Set(ids).size, ids.length]).toEqual([expected, expected]);
    expect(hooks().filter((request) => !isGenuine(request, subscriptions))).toEqual([]);

    for (const service of BEHIND_GATEWAY) {
      const statusWith = async (secret: string) =>
        (await signedClient(platform.urlOf(`${service}-1`), secret).get(PATHS[service])).status;
      expect(await statusWith(gatewaySecrets[service])).toBe(401);
      expect(await statusWith(fresh[service])).toBe(200);
    }
    expect((await tenant.owner.get("/v1/me")).status).toBe(401);
    for (const service of SERVICES) {
      const login = new URL(oldLogins[service]).username;
      await until(`no session of the old login of ${service}`, async () => {
        const sessions = `select from pg_stat_activity where usename = '${login}' and datname = current_database()`;
        return (await query(service, sessions)).length === 0;
      });
      await deleteUser(users[service]);
      await expect(connect(users[service])).rejects.toThrow();
    }
    await platform.stop("webhooks-2");
    set({}, { webhooksSealingKeys: `old:${webhooksSealingKey}`, webhooksSealingKey });
    await expect(platform.start("webhooks-2")).rejects.toThrow(/sealed with the key new,/);
  });

  test("a replica that a removed login stops from starting closes its port", async () => {
    for (const service of SERVICES) {
      await platform.stop(`${service}-2`);
      const url = Object.assign(new URL(next[service].databaseUrl), { password: "removed" });
      next[service].databaseUrl = url.href;
      await expect(platform.start(`${service}-2`)).rejects.toThrow(/password authentication failed/);
      await expect(fetch(`${platform.urlOf(`${service}-2`)}/healthz`)).rejects.toThrow("fetch failed");
    }
  });

  /** Creates an additional login for a service's database, and resolves with its address. */
  async function newLogin(service: ServiceName): Promise<string> {
    const name = `tradepost_test_${service}_${randomBytes(4).toString("hex")}`;
    const login = { name, password: randomBytes(16).toString("hex") };
    logins.push(name);
    const owner = { name: "tradepost_test_owner" };
    return await createServiceRoles(platform.databases[service].url, { service, owner, login });
  }

  const query = (service: ServiceName, text: string) => execute(platform.databases[service].url, text);

  async function reseal(list: string) {
    const words = ["keys", "rotate-sealing", "--json"];
    const { code, stdout, stderr } = await runScript("tools/ops/src/ops.ts", words, {
      ...opsEnvironment(platform.operated),
      WEBHOOKS_SEALING_KEYS: list,
    });
    expect([code, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout);
  }
});

interface Subscription {
  readonly id: string;
  /** The first secret signs. It replaced the later ones. */
  readonly secrets: string[];
}

async function subscribe(tenant: TestTenant, receiver: Receiver): Promise<Subscription[]> {
  return await Promise.all(
    Array.from({ length: SUBSCRIPTIONS }, async (_, n) => {
      const headers = { Authorization: `Bearer ${n}` };
      const subscription = await tenant.subscribe(`${receiver.url}/${n}`, ["redirect.added"], { headers });
      return { id: subscription.id as string, secrets: [subscription.signingSecret as string] };
    }),
  );
}

function isGenuine({ path, headers, body }: Received, subscriptions: readonly Subscription[]): boolean {
  const secrets = subscriptions[Number(path.slice(1))]?.secrets ?? [];
  const expected = secrets.map(
    (secret) => `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  );
  const isSigned = expected.includes(String(headers["x-service-signature"]));
  return isSigned && headers.authorization === `Bearer ${path.slice(1)}`;
}

/** Acts as a user of the dashboard who often refreshes the token, until stopped. */
function startSession(url: string, { ownerEmail, ownerPassword }: TestTenant) {
  const refused: string[] = [];
  let [token, cookie, isStopped] = ["", "", false];
  const owner = () => apiClient(url, bearer(token));
  const expectOk = async (what: string, sent: ReturnType<ApiClient["get"]>) => {
    const response = await sent;
    if (response.status !== 200) refused.push(`${what}: ${response.status} ${response.text}`);
    return response;
  };
  const open = async (path: string, body?: object) => {
    const { headers, body: opened } = await expectOk(path, apiClient(url).post(path, body, { cookie }));
    const cookies = headers.getSetCookie().map((line) => line.split(";", 1)[0]);
    [token, cookie] = [opened.data?.token, cookies.join("; ")];
  };
  const work = async () => {
    await open("/v1/auth/login", { email: ownerEmail, password: ownerPassword });
    for (let turn = 1; !isStopped; turn += 1) {
      if (turn % 5 === 0) await open("/v1/auth/refresh");
      else await expectOk("read with a token", owner().get("/v1/me"));
      await sleep(PAUSE_MS);
    }
  };
  const working = work().catch((error: Error) => void refused.push(`${error.message}: ${error.cause}`));
  return {
    refused: refused as readonly string[],
    /** The subscription then has two secrets. */
    rotateSecret: async (subscription: Subscription | undefined) => {
      const path = `/v1/webhooks/subscriptions/${subscription?.id}/rotate-secret`;
      const { body } = await expectOk("rotate a secret", owner().post(path, {}));
      subscription?.secrets.push(body.data?.signingSecret);
    },
    stop: async () => {
      isStopped = true;
      await working;
    },
  };
}

function forEach(work: (service: "orders" | "content" | "webhooks") => string) {
  return { orders: work("orders"), content: work("content"), webhooks: work("webhooks") };
}

function newSecret(): string {
  return randomBytes(32).toString("base64");
}

/** Resolves with the address for the new user. */
async function copyUser(amqpUrl: string): Promise<string> {
  const url = new URL(amqpUrl);
  const [from, password] = [decodeURIComponent(url.username), randomBytes(16).toString("hex")];
  await run(process.execPath, [COPY_USER, from, `${from}-b`], {
    env: { RABBITMQ_MANAGEMENT_URL: managementUrl, PASSWORD: password },
  });
  return Object.assign(url, { username: encodeURIComponent(`${from}-b`), password }).href;
}

async function deleteUser(amqpUrl: string): Promise<void> {
  await requestManagement(managementUrl, "DELETE", `/users/${new URL(amqpUrl).username}`);
}
