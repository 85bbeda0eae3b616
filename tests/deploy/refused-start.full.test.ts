// A service whose settings cannot work stops at its start with one sentence that says why, and exits with 1.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { COMPILE_CACHE_DIR, execute } from "@tradepost/devstack";
import {
  createServiceDatabase,
  createTestBroker,
  type TestBroker,
  type TestServiceDatabase,
} from "@tradepost/testing";

const ORDERS = path.resolve(import.meta.dirname, "../../services/orders");
const LISTENING =
  /"msg":"Cannot listen on 203\.0\.113\.1, port 0: the host is not an address of this machine\."/;
const STRANGER = `stranger_${randomBytes(6).toString("hex")}`;

describe("the orders service", () => {
  let database: TestServiceDatabase;
  let broker: TestBroker;

  beforeAll(async () => {
    [database, broker] = await Promise.all([createServiceDatabase("orders"), createTestBroker()]);
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
    const { exitCode, output } = await start(overrides());
    expect(output).toMatch(sentence);
    expect(exitCode).toBe(1);
    expect(output).not.toMatch(/stack|wrong-one|node:internal/);
  });

  test("says what runs when its settings are accepted, and which variables are misspelt", async () => {
    const overrides = { ORDERS_EVENT_KEEP_DAYS: "9", EVENTS_KEEP_DAYS: "9", REVISION: "abc" };
    const { output } = await start(overrides, '"msg":"started"');
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

  /** Resolves when the process has ended; with `until`, it is stopped once it has written that. */
  async function start(overrides: Record<string, string>, until?: string) {
    const flags = ["--conditions=source", "--disable-warning=ExperimentalWarning"];
    const child = spawn(process.execPath, [...flags, "src/main.ts"], {
      cwd: ORDERS,
      env: {
        NODE_COMPILE_CACHE: COMPILE_CACHE_DIR,
        PORT: "0",
        DRAIN_IDLE_MS: "0",
        ORDERS_DATABASE_URL: database.serviceUrl,
        AMQP_URL: broker.amqpUrl,
        GATEWAY_SECRET: "a secret of at least 32 characters",
        ...overrides,
      },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk;
        if (until !== undefined && output.includes(until)) child.kill("SIGTERM");
      });
    const [exitCode] = await once(child, "close");
    return { exitCode, output };
  }
});
