// Runs the commands with which each service's README runs only that service, on a Postgres and a vhost that have nothing yet.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openPostgresServers, ROOT, runScript, SERVICES, type ServiceName } from "@tradepost/devstack";
import { createTestBroker, freePort, type TestBroker, until } from "@tradepost/testing";

const programs = ["psql", "curl"].every((name) => spawnSync(name, ["--version"]).status === 0);
const secret = () => randomBytes(32).toString("hex");

(programs ? describe : describe.skip)("what a README says starts its service alone", () => {
  let servers: Awaited<ReturnType<typeof openPostgresServers>>;
  let postgres: URL;
  let broker: TestBroker;
  const files = mkdtempSync(path.join(tmpdir(), "tradepost-alone-"));
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    const built = await runScript("tools/checks/src/build.ts", [], {});
    expect(built).toMatchObject({ code: 0 });
    servers = await openPostgresServers();
    const directory = servers.directory("alone");
    await servers.initialize(directory);
    postgres = new URL(await servers.start(directory));
    broker = await createTestBroker();
  }, 600_000);
  afterAll(async () => {
    for (const { pid } of running) if (pid !== undefined) process.kill(-pid, "SIGKILL");
    await servers.stopAll();
    await broker.drop();
    rmSync(files, { recursive: true });
  });

  test.each(SERVICES)("%s", async (service) => {
    const [, block = ""] = /## Run it alone\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(readmeOf(service)) ?? [];
    const user = `${service}-${randomBytes(4).toString("hex")}`;
    const port = await freePort();
    const [amqp, management] = [new URL(broker.amqpUrl), broker.managementUrl.replace(/\/$/, "")];
    // Other tests on this machine may use the README's user and port.
    const commands = block
      .replace(`amqp://${service}:`, `amqp://${user}:`)
      .replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`);
    const child = spawn("sh", ["-ec", commands], {
      cwd: ROOT,
      detached: true,
      env: {
        PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
        ...{ OWNER_PASSWORD: secret(), LOGIN_PASSWORD: secret(), BROKER_PASSWORD: secret() },
        ...{ PGHOST: postgres.hostname, PGPORT: postgres.port, PGPASSWORD: postgres.password },
        ...{ BROKER: `${amqp.host}${amqp.pathname}`, MANAGEMENT_URL: management },
        ...{ BROKER_USER: user, BROKER_VHOST: amqp.pathname.slice(1), PORT: String(port) },
        ...settingsOf(service, files),
      },
    });
    running.push(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
    let code: number | null = null;
    child.once("exit", (exitCode) => (code = exitCode ?? 1));
    await until(`the last command of the README: ${output}`, () => code !== null);
    expect([code, output]).toEqual([0, expect.stringContaining('"status":"ready"')]);
  });
});

function readmeOf(service: ServiceName): string {
  return readFileSync(path.join(ROOT, "services", service, "README.md"), "utf8");
}

function settingsOf(service: ServiceName, files: string): Record<string, string> {
  const key = randomBytes(32).toString("base64");
  const ofService: Record<ServiceName, Record<string, string>> = {
    orders: {},
    content: { CONTENT_MEDIA_LINK_SECRETS: secret(), CONTENT_MEDIA_DIR: files },
    webhooks: { WEBHOOKS_SEALING_KEY: key },
    gateway: Object.fromEntries(
      ["ORDERS", "CONTENT", "WEBHOOKS"].flatMap((name) => [
        [`${name}_URL`, "http://127.0.0.1:9"],
        [`${name}_GATEWAY_SECRET`, secret()],
      ]),
    ),
  };
  return { GATEWAY_SECRET: secret(), TOKEN_SIGNING_KEYS: `k1:${key}`, ...ofService[service] };
}
