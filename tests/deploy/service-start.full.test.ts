// How a service starts: while its database is down or not migrated it responds to probes, waits, and serves requests once another
// process has migrated the database; with settings that cannot work it stops with one sentence that says why, and exits with 1.
import { randomBytes } from "node:crypto";
import {
  execute,
  forAllServices,
  type RunningProcess,
  respondsOk,
  runScript,
  SERVICES,
  serviceProgram,
} from "@tradepost/devstack";
import {
  createEmptyServiceDatabase,
  createServiceDatabase,
  createTestBroker,
  type FaultProxy,
  freePort,
  startFaultProxy,
  type TestBroker,
  type TestServiceDatabase,
  until,
} from "@tradepost/testing";
import { createServiceFiles } from "../support/services.ts";

const LISTENING =
  /"msg":"Cannot listen on 203\.0\.113\.1, port 0: the host is not an address of this machine\."/;
const STRANGER = `stranger_${randomBytes(6).toString("hex")}`;

describe.each(SERVICES)("the %s service, started while its database is down", (service) => {
  const files = createServiceFiles({ LOG_LEVEL: "warn" });
  let database: TestServiceDatabase;
  let broker: TestBroker;
  let proxy: FaultProxy;
  let url: string;
  let start: () => Promise<RunningProcess>;
  let running: RunningProcess | undefined;

  beforeAll(async () => {
    [database, broker] = await Promise.all([createEmptyServiceDatabase(service), createTestBroker()]);
    proxy = await startFaultProxy(database.serviceUrl);
    await proxy.refuse();
    const program = serviceProgram(service, service, await freePort(), {
      ...{ ...files, databaseUrl: proxy.url, amqpUrl: broker.amqpUrl },
      serviceUrls: forAllServices("http://127.0.0.1:9"),
    });
    url = program.url;
    start = () => program.start();
  });
  afterAll(async () => {
    running?.kill();
    await running?.ended;
    await proxy.stop();
    await Promise.all([database.drop(), broker.drop()]);
    files.remove();
  });

  test("is alive, not ready, and refuses requests with 503 and Retry-After", async () => {
    running = await start();
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({ status: "not_ready", missing: ["starting"] });
    const refused = await fetch(`${url}/v1/orders`, { method: "POST", body: "{}" });
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("2");
    expect(await refused.json()).toMatchObject({
      success: false,
      error: { code: "service_unavailable", requestId: refused.headers.get("x-request-id") },
    });
  });

  test("is not ready while the database is up but not migrated", async () => {
    // All services stop with the same code, so only one is stopped while it waits.
    if (service === "orders") {
      process.kill(running?.pid ?? 0, "SIGTERM");
      expect(await running?.ended).toBe("exit code 0");
      running = await start();
    }
    await proxy.restore();
    await until("the service to wait", () => files.logOf(service).includes("waiting for migrations"));
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
  });

  test("is ready after the migration program has run, once or twice, and not without its setting", async () => {
    const name = `${service.toUpperCase()}_OWNER_DATABASE_URL`;
    const migrate = (environment: Record<string, string>) =>
      runScript(`services/${service}/src/migrate.ts`, [], environment);
    expect(await migrate({})).toMatchObject({ code: 1, stdout: expect.stringContaining(name) });
    for (let run = 0; run < 2; run += 1)
      expect(await migrate({ [name]: database.ownerUrl })).toMatchObject({ code: 0 });
    await until(`${service} to be ready`, () => respondsOk(url, "/readyz"));
  });
});

const [database, broker] = await Promise.all([createServiceDatabase("orders"), createTestBroker()]);

describe("the orders service", () => {
  beforeAll(async () => {
    await run(`create role ${STRANGER} login password 'pass'`);
    const name = new URL(database.url).pathname.slice(1);
    await run(`grant connect on database ${name} to ${STRANGER}`);
  });
  afterAll(async () => {
    await run(`drop owned by ${STRANGER}`);
    await run(`drop role ${STRANGER}`);
    await Promise.all([database.drop(), broker.drop()]);
  });

  const run = (statement: string) => execute(database.url, statement);
  /** Returns a setting with an address of the database that differs in these parts. */
  const address = (parts: Partial<URL>) => ({
    ORDERS_DATABASE_URL: Object.assign(new URL(database.serviceUrl), parts).href,
  });

  test.concurrent.each([
    [
      "a database of another kind",
      () => address({ protocol: "mysql:" }),
      /"level":"fatal".*"msg":"Settings are missing or wrong: ORDERS_DATABASE_URL must be the URL of a database: postgres:/,
    ],
    [
      "a wrong password",
      () => address({ password: "wrong-one" }),
      /"msg":"The database at [^ ]+ refuses the connection: password authentication failed for user [^ ]+\."/,
    ],
    [
      "a login without the service's roles",
      () => address({ username: STRANGER, password: "pass" }),
      new RegExp(`The login .{2}${STRANGER}.{2} at .* may not act as the role .{2}tradepost_orders`),
    ],
    ["a host that is not its own", () => ({ HOST: "203.0.113.1" }), LISTENING],
  ])("stops with %s", async (_what, overrides, sentence) => {
    const { code, stdout, stderr } = await runScript("services/orders/src/main.ts", [], {
      ...{ PORT: "0", DRAIN_IDLE_MS: "0", GATEWAY_SECRET: "a secret of at least 32 characters" },
      ...{ ORDERS_DATABASE_URL: database.serviceUrl, AMQP_URL: broker.amqpUrl, ...overrides() },
    });
    const output = stdout + stderr;
    expect(output).toMatch(sentence);
    expect(code).toBe(1);
    expect(output).not.toMatch(/stack|wrong-one|node:internal/);
  });

  test("says what runs when its settings are accepted, and which variables are misspelt", async () => {
    const files = createServiceFiles();
    const orders = { ORDERS_EVENT_KEEP_DAYS: "9", EVENTS_KEEP_DAYS: "9", REVISION: "abc" };
    const program = serviceProgram("orders", "orders", await freePort(), {
      ...{ ...files, settings: { ...files.settings, orders }, serviceUrls: forAllServices("") },
      ...{ databaseUrl: database.serviceUrl, amqpUrl: broker.amqpUrl },
    });
    const { stop } = await program.start();
    await until("its start", () => files.logOf("orders").includes('"msg":"started"'));
    await stop();
    const output = files.logOf("orders");
    files.remove();
    const lines = output
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    expect(lines.find(({ level }) => level === "warn")).toMatchObject({
      variables: ["ORDERS_EVENT_KEEP_DAYS"],
    });
    expect(lines.find(({ msg }) => msg === "started")).toMatchObject({
      release: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      revision: "abc",
      migration: expect.stringMatching(/^00\d\d-/),
      settings: {
        environment: { EVENTS_KEEP_DAYS: "9", GATEWAY_SECRET: expect.stringMatching(/^#[0-9a-f]{6}$/) },
      },
    });
    expect(output).not.toContain(new URL(database.serviceUrl).password);
  });
});
