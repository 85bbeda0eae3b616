// The operators' commands with a running platform: their output for people and for programs, and what they refuse.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import net, { type AddressInfo } from "node:net";
import { userInfo } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { runScript } from "@tradepost/devstack";
import { eventData } from "@tradepost/event-catalog";
import { connectPostgres } from "@tradepost/postgres";
import { createLogger } from "@tradepost/runtime";
import {
  apiClient,
  authenticator,
  bearer,
  captureMessages,
  createTestDatabase,
  until,
} from "@tradepost/testing";
import { connect } from "amqplib";
import { opsOn } from "./support/run-ops.ts";
import { startTestPlatform, type TestPlatform } from "./support/test-platform.ts";

describe("npm run ops", () => {
  let platform: TestPlatform;
  let addresses: Record<string, string>;

  beforeAll(async () => {
    platform = await startTestPlatform();
    addresses = {
      GATEWAY_DATABASE_URL: platform.databases.gateway,
      ORDERS_DATABASE_URL: platform.databases.orders,
      CONTENT_DATABASE_URL: platform.databases.content,
      WEBHOOKS_DATABASE_URL: platform.databases.webhooks,
      AMQP_URL: platform.broker.amqpUrl,
      RABBITMQ_MANAGEMENT_URL: platform.broker.managementUrl,
    };
  });

  afterAll(() => platform.stop());

  const ops = (...words: string[]) => opsOn(platform)(...words);
  const opsJson = async (...words: string[]) => JSON.parse((await ops(...words, "--json")).stdout);

  test("creates a tenant whose owner can sign in, lists it, and emits tenant.created", async () => {
    const captured = await captureMessages(platform.broker.amqpUrl, "tenant.created");
    const created = await opsJson(
      "tenant",
      "create",
      "--slug",
      "acme",
      "--name",
      "Acme",
      "--owner-email",
      "Owner@Acme.example",
    );
    expect(created).toEqual({
      tenantId: expect.any(String),
      slug: "acme",
      name: "Acme",
      modules: ["crm", "content"],
      owner: {
        id: expect.any(String),
        email: "owner@acme.example",
        password: expect.stringMatching(/^.{12,}$/),
      },
    });
    const login = await fetch(`${platform.url}/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: created.owner.email, password: created.owner.password }),
    });
    expect(login.status).toBe(200);
    const event = await until("tenant.created", () => {
      const [message] = captured.messages;
      return message && JSON.parse(String(message.content));
    });
    await captured.stop();
    expect(event).toMatchObject({ tenant_id: created.tenantId, actor: { type: "operator" } });
    expect(eventData["tenant.created"]?.schema.parse(event.data)).toMatchObject({
      tenant: { id: created.tenantId, slug: "acme", name: "Acme", modules: ["content", "crm"] },
    });
    // Runs the command in its own process.
    const listed = await runScript("tools/ops/src/ops.ts", ["tenant", "list", "--json"], addresses);
    expect(listed).toMatchObject({ code: 0, stderr: "" });
    const tenants = JSON.parse(listed.stdout);
    expect(tenants).toEqual([
      {
        tenantId: created.tenantId,
        slug: "acme",
        name: "Acme",
        modules: ["content", "crm"],
        createdAt: expect.any(String),
        suspended: false,
      },
    ]);
  });

  test("lists a tenant's staff, and lets an only owner who forgot the password set a new one", async () => {
    const { owner } = await opsJson(
      ...["tenant", "create", "--slug", "lost", "--name", "Lost", "--owner-email", "owner@lost.example"],
    );
    const user = { userId: owner.id, email: "owner@lost.example", role: "owner", active: true };
    expect(await opsJson("user", "list", "--tenant", "lost")).toEqual([{ ...user, lastSignInAt: null }]);
    const link = await opsJson("user", "setup-link", "Owner@Lost.example");
    expect(link).toEqual({ token: expect.any(String), expiresAt: expect.stringMatching(/Z$/) });
    const printed = await ops("user", "setup-link", "owner@lost.example");
    const token = /The token for owner@lost.example is (\S+)/.exec(printed.stdout)?.[1];
    const { post } = apiClient(platform.url);
    const password = "a horse of another colour";
    expect((await post("/v1/auth/setup", { token: link.token, password })).status).toBe(401);
    expect((await post("/v1/auth/setup", { token, password })).status).toBe(200);
    const login = await post("/v1/auth/login", { email: user.email, password });
    expect(login.status).toBe(200);
    expect(await opsJson("user", "list", "--tenant", "lost")).toEqual([
      { ...user, lastSignInAt: expect.stringMatching(/Z$/) },
    ]);
    const asOwner = apiClient(platform.url, bearer(login.body.data.token));
    const log = await asOwner.get("/v1/audit-log?action=user.setup_link_made");
    expect(log.body.data).toHaveLength(2);
    expect(log.body.data[0]).toMatchObject({
      actor: { type: "operator", name: "Operator" },
      target: { type: "user", id: owner.id },
    });
  });

  test("resets the second factor of a user who has lost it", async () => {
    const email = "owner@phoneless.example";
    const { owner } = await opsJson(
      ...["tenant", "create", "--slug", "phoneless", "--name", "Phoneless", "--owner-email", email],
    );
    const { post } = apiClient(platform.url);
    const { token } = (await post("/v1/auth/login", { email, password: owner.password })).body.data;
    const user = apiClient(platform.url, bearer(token));
    const setUp = await user.post("/v1/me/second-factor", { currentPassword: owner.password });
    const app = authenticator(setUp.body.data.secret);
    const code = await app.unused();
    expect((await user.post("/v1/me/second-factor/confirm", { code })).status).toBe(200);
    expect(await opsJson("user", "reset-second-factor", email)).toEqual({ endedSessions: 1 });
    const login = await post("/v1/auth/login", { email, password: owner.password });
    expect(login.body.data.user).toMatchObject({ id: owner.id, secondFactor: false });
    const again = await ops("user", "reset-second-factor", email);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("No such second factor.")]);
  });

  test.each([
    [["user", "list"], /--tenant/],
    [["user", "list", "--tenant", "nobody"], /no tenant with the slug nobody/],
    [["user", "setup-link", "nobody@nowhere.example"], /No user has the e-mail nobody@nowhere.example/],
    [
      ["tenant", "create", "--slug", "acme", "--name", "Again", "--owner-email", "other@acme.example"],
      /slug already exists/,
    ],
    [
      ["tenant", "create", "--slug", "Not A Slug", "--name", "N", "--owner-email", "n@n.example"],
      /A slug has/,
    ],
    [["tenant", "create", "--slug", "n", "--name", "N", "--owner-email", "nobody"], /e-mail/],
    [
      [
        "tenant",
        "create",
        "--slug",
        "n",
        "--name",
        "N",
        "--owner-email",
        "n@n.example",
        "--modules",
        "crm,shop",
      ],
      /crm and content/,
    ],
    [["dead", "redrive"], /--all/],
    [["dead", "purge", "--all"], /--yes/],
    [["dead", "show", "17"], /UUID/],
    [["dead", "redrive", "--all", "--per-second", "0"], /positive number/],
    [["deliveries", "explain", "17"], /UUID/],
    [["deliveries", "list"], /--subscription/],
    [
      ["deliveries", "list", "--subscription", "0198a000-0000-7000-8000-000000000001"],
      /No subscription has this id/,
    ],
    [
      ["deliveries", "list", "--subscription", "0198a000-0000-7000-8000-000000000001", "--limit", "1001"],
      /from 1 to 1000/,
    ],
    [["deliveries", "list", "--status", "late"], /pending, retrying, paused/],
    [["deliveries", "explain", "0198a000-0000-7000-8000-000000000001"], /No delivery has this id/],
    [["poison", "purge"], /--yes/],
    [["poison", "list", "--queue", "webhooks.dead"], /webhooks.poison, gateway.audit.poison, content.poison/],
    [["outbox", "unpark"], /--event <id> or --all/],
    [
      ["outbox", "unpark", "--all", "--event", "0198a000-0000-7000-8000-000000000001"],
      /--event <id> or --all/,
    ],
    [["outbox", "nonsense"], /unknown command|too many arguments/],
    [["backlog", "--by", "city"], /tenant, endpoint/],
    [["notices", "list", "--kind", "nonsense"], /endpoint_failing, endpoint_down/],
    [["notices", "list", "--tenant", "acme"], /UUID/],
    [["backlog", "nonsense"], /too many arguments/],
    [["events", "nonsense"], /unknown command/],
    [["events", "find", "0198a000-0000-7000-8000-000000000001", "--tenant", "acme"], /UUID/],
    [["events", "republish", "--since", "2026-01-01"], /--service/],
    [
      ["events", "republish", "--service", "content", "--since", "2026-01-01", "--per-second", "fast"],
      /positive number/,
    ],
    [["events", "find"], /missing required argument/],
    [["events", "find", "17"], /UUID/],
    [
      ["events", "republish", "--service", "mail", "--since", "2026-01-01"],
      /gateway, orders, content, webhooks/,
    ],
    [["events", "republish", "--service", "content"], /--event <id> or --since <time>/],
    [["events", "republish", "--service", "content", "--since", "yesterday"], /ISO 8601/],
    [["events", "republish", "--service", "content", "--since", "5"], /ISO 8601/],
    [
      ["events", "republish", "--service", "content", "--since", "2026-01-02", "--until", "2026-01-01"],
      /--since must be before --until/,
    ],
    [["no-such-command"], /unknown command/],
  ])(
    "refuses %j with a message on standard error and nothing on standard output",
    async (words, complaint) => {
      const ran = await ops(...words, "--json");
      expect(ran).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(complaint) });
      expect(ran.stderr).not.toMatch(/\n\s+at /);
    },
  );

  test("asks the next node of a cluster if one does not respond", async () => {
    const down = "http://operator:secret@127.0.0.1:1";
    const on = (managementUrl: string) =>
      opsOn({ ...platform, broker: { ...platform.broker, managementUrl } });
    expect(await on(`${down},${platform.broker.managementUrl}`)("queues")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("webhooks.events"),
    });
    expect(await on(`${down},${down.replace(":1", ":2")}`)("queues")).toMatchObject({
      code: 2,
      stderr:
        "broker: not reachable (RabbitMQ's management API at 127.0.0.1:1, 127.0.0.1:2 does not respond)\n",
    });
  });

  test("prints the number of messages in the queues and outboxes", async () => {
    const queues = await until("the management page's figures", async () => {
      const listed = (await opsJson("queues")) as Record<
        "name" | "consumers" | "members" | "online",
        unknown
      >[];
      return (
        listed.some(({ name, consumers }) => name === "webhooks.deliveries" && consumers === 1) && listed
      );
    });
    // The broker has one node, which has a member of each queue.
    expect(queues.map(({ members, online }) => `${members}/${online}`)).toEqual(queues.map(() => "1/1"));
    expect(queues.map(({ name }) => name)).toEqual(
      ["1h", "1m", "2h", "4h", "5m", "15m", "30m"]
        .map((wait) => `webhooks.retry.${wait}`)
        .concat(
          "content.media",
          "content.poison",
          "gateway.audit",
          "gateway.audit.poison",
          "webhooks.dead",
          "webhooks.deliveries",
          "webhooks.events",
          "webhooks.poison",
          "webhooks.tallies",
          ...["gateway", "orders", "content", "webhooks"].map((service) => `${service}.replay`),
        )
        .sort(),
    );
    expect(await opsJson("outbox")).toEqual([
      { service: "gateway", pending: 0, oldestAgeSeconds: 0, parked: 0 },
      { service: "orders", pending: 0, oldestAgeSeconds: 0, parked: 0 },
      { service: "content", pending: 0, oldestAgeSeconds: 0, parked: 0 },
      { service: "webhooks", pending: 0, oldestAgeSeconds: 0, parked: 0 },
    ]);
    expect((await ops("outbox")).stdout).toMatch(/^service +pending +oldestAgeSeconds +parked\ngateway /);
  });

  test("lists unreadable messages with the reason, and deletes them on request", async () => {
    const connection = await connect(platform.broker.amqpUrl);
    const channel = await connection.createConfirmChannel();
    channel.publish("platform.events", "redirect.added", Buffer.from("not json"), { messageId: "poison-1" });
    await channel.waitForConfirms();
    const listed = await until("the poison", async () => {
      const rows = await opsJson("poison", "list");
      return rows.length > 0 && rows;
    });
    const poison = {
      queue: "webhooks.poison",
      source: "webhooks.events",
      at: expect.any(String),
      reason: "the body is not JSON",
      messageId: "poison-1",
    };
    expect(listed).toEqual([poison]);
    // Listing does not remove the message.
    expect(await opsJson("poison", "list")).toEqual([poison]);
    expect(await opsJson("poison", "purge", "--yes")).toEqual({ purged: 1 });
    expect(await opsJson("poison", "list")).toEqual([]);
    expect((await ops("poison", "list")).stdout).toBe("There are no poison messages.\n");
    await connection.close();
  });

  test("explains the state of a delivery", async () => {
    const { owner } = await platform.createTenant();
    const { body } = await owner.post("/v1/webhooks/subscriptions", {
      name: "Nobody listens",
      url: "https://localhost:1/",
      events: ["redirect.added"],
    });
    const sent = await owner.post(`/v1/webhooks/subscriptions/${body.data.id}/test`);
    expect(sent.status).toBe(202);
    const { id } = sent.body.data;
    const explained = await until("the first attempt", async () => {
      const explanation = await opsJson("deliveries", "explain", id);
      return explanation.where === "retry" && explanation;
    });
    expect(explained).toEqual({
      deliveryId: id,
      status: "retrying",
      where: "retry",
      because: "It waits until the time of its next attempt. Attempt 1: connection_refused.",
      nextAttemptAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
    });
    expect((await ops("deliveries", "explain", id)).stdout).toMatch(
      /^retrying \(retry\): It waits .*connection_refused\.\nNext attempt: \d{4}-/,
    );
  });

  test("records who ran which command, without secrets and people, and shows it among the tenants' changes", async () => {
    const since = new Date();
    const as = (person: string, ...words: string[]) =>
      runScript("tools/ops/src/ops.ts", [...words, "--json"], { ...addresses, OPS_ACTOR: person });
    const created = await as(
      ...(["ada", "tenant", "create", "--slug", "audited", "--name", "Audited Ltd"] as const),
      ...["--owner-email", "owner@audited.example"],
    );
    const { tenantId, owner } = JSON.parse(created.stdout);
    await as("bob", "tenant", "suspend", "audited");
    await as("bob", "user", "setup-link", owner.email);
    expect((await ops("tenant", "resume", "audited")).code).toBe(0);
    expect((await ops("dead", "redrive")).code).toBe(1);
    for (const words of [
      "tenant list",
      "tenant quota audited",
      "dead redrive --all --dry-run",
      "dead purge --all",
    ])
      await ops(...words.split(" "));

    const from = ["audit", "--since", since.toISOString()];
    const entries: { at: string; action: string; actor: { id: string; name: string }; changes: object }[] =
      await opsJson(...from);
    expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).sort());
    const run = entries.filter(({ action }) => action.startsWith("ops "));
    const login = userInfo().username;
    expect(run.map(({ actor, action, changes }) => [actor.name, action, changes])).toEqual([
      [
        ...["ada", "ops tenant create"],
        {
          exitStatus: 0,
          arguments: [
            ...["--slug", "audited", "--name", "…", "--owner-email", "…", "--modules", "crm,content"],
          ],
        },
      ],
      ["bob", "ops tenant suspend", { exitStatus: 0, arguments: ["audited"] }],
      ["bob", "ops user setup-link", { exitStatus: 0, arguments: ["o…@audited.example"] }],
      [login, "ops tenant resume", { exitStatus: 0, arguments: ["audited"] }],
      [login, "ops dead redrive", { exitStatus: 1, arguments: [] }],
    ]);
    const ofTenant: typeof entries = await opsJson(...from, "--tenant", "audited");
    expect(ofTenant.map(({ action, actor }) => [action, actor.name])).toEqual([
      ["ops tenant create", "ada"],
      ["ops tenant suspend", "bob"],
      ["tenant.suspended", "Operator (bob)"],
      ["user.setup_link_made", "Operator (bob)"],
      ["ops tenant resume", login],
      ["tenant.resumed", "Operator"],
    ]);
    expect(ofTenant[2]).toEqual({
      ...{ at: expect.stringMatching(/Z$/), tenantId, action: "tenant.suspended", changes: {} },
      ...{ actor: { type: "operator", id: "operator", name: "Operator (bob)" } },
      target: { type: "tenant", id: tenantId },
    });
    const suspensions = await opsJson(...from, "--action", "ops tenant suspend");
    expect(suspensions).toEqual([ofTenant[1]]);
    expect((await ops(...from, "--action", "tenant.resumed")).stdout).toMatch(
      /^at .*\n.* Operator +tenant\.resumed +tenant /,
    );
    expect(JSON.stringify(entries)).not.toContain(owner.email);

    expect(await ops("tenant", "delete", "audited", "--yes")).toMatchObject({
      ...{ code: 0, stderr: expect.stringContaining("gateway") },
    });
    const afterwards = JSON.stringify(await opsJson(...from));
    expect(afterwards).toContain("ops tenant delete");
    expect(afterwards).toMatch(/deleted:[0-9a-f]{16}/);
    expect(afterwards).not.toContain('"audited"');
    expect(afterwards).not.toContain(tenantId);
  });

  test("shows which tenant uses most", async () => {
    const { tenantId, key } = await platform.createTenant();
    for (const from of ["/a", "/b", "/c"]) await key.post("/v1/redirects", { from, to: "/new" });
    const usage = await until("the published events and the counted requests", async () => {
      const rows: { tenantId: string; events: number; requests: number }[] = await opsJson("usage");
      const found = rows.find((row) => row.tenantId === tenantId);
      return found !== undefined && found.events >= 3 && found.requests >= 3 && { found, rows };
    });
    const number = expect.any(Number);
    expect(usage.found).toEqual({
      ...{ tenantId, slug: expect.any(String), requests: number, refused: 0, orders: 0, events: number },
      ...{ deliveriesWaiting: 0, attempts: 0, mediaBytes: number, eventBytes: number },
    });
    expect(await opsJson("usage", "--top", "1")).toHaveLength(1);
    expect((await ops("usage", "--top")).stdout).toMatch(
      /^tenantId +slug +requests +refused +orders +events /,
    );
    const databases = { ...platform.databases, gateway: "postgres://x:secret@127.0.0.1:1/gateway" };
    const { code, stdout } = await opsOn({ ...platform, databases })("usage", "--json");
    expect([code, JSON.parse(stdout).find((row: { tenantId: string }) => row.tenantId === tenantId)]).toEqual(
      [
        2,
        {
          ...usage.found,
          slug: null,
          requests: null,
          refused: null,
          mediaBytes: null,
          eventBytes: null,
          events: number,
        },
      ],
    );
  });

  describe("without one of the databases, or without the broker", () => {
    const without = (...services: (keyof TestPlatform["databases"])[]) => {
      const away = Object.assign(Object.create(null), platform.databases);
      for (const service of services) away[service] = `postgres://x:secret@127.0.0.1:1/${service}`;
      return opsOn({ ...platform, databases: away });
    };
    const refused = (...services: string[]) =>
      services.map((service) => `${service}: not reachable (connection refused at 127.0.0.1:1)\n`).join("");

    test("shows the others, names it, and exits with 2", async () => {
      expect(await without("orders")("outbox")).toEqual({
        ...{ code: 2, stderr: "" },
        stdout: expect.stringMatching(
          /^service .*\ngateway .*\ncontent .*\nwebhooks .*\norders: not reachable \(connection refused at 127\.0\.0\.1:1\)\n$/,
        ),
      });
      const { stdout, ...ran } = await without("orders", "content")("outbox", "--json");
      expect(ran).toEqual({ code: 2, stderr: refused("orders", "content") });
      expect(JSON.parse(stdout).map(({ service }: { service: string }) => service)).toEqual([
        "gateway",
        "webhooks",
      ]);
      expect(await without("webhooks")("backlog", "--json")).toEqual({
        ...{ code: 2, stdout: "[]\n" },
        stderr: refused("webhooks"),
      });
      expect(await without("gateway", "webhooks")("verify", "--json")).toEqual({
        ...{ code: 2, stderr: refused("gateway", "webhooks") },
        stdout: `${JSON.stringify({ ok: false, unreachable: ["gateway", "webhooks"] }, null, 2)}\n`,
      });
      expect(await without("content")("outbox", "unpark", "--all", "--json")).toEqual({
        ...{ code: 2, stderr: refused("content") },
        stdout: `${JSON.stringify({ unparked: 0 }, null, 2)}\n`,
      });
    });

    test("finds events in what can be read", async () => {
      const { key } = await platform.createTenant();
      const { body } = await key.post("/v1/redirects", { from: "/away", to: "/new" });
      const found = await until("the event", async () => {
        const { stdout, ...ran } = await without("webhooks", "gateway")("events", "find", body.data.id);
        expect(ran).toEqual({ code: 2, stderr: "" });
        return stdout.includes("It is published.") && stdout;
      });
      expect(found).toMatch(/redirect\.added.*\(content\): published\n {2}It is published\. Whether/);
      expect(found).toContain(refused("gateway", "webhooks"));
    });

    test("names the broker", async () => {
      const broker = { ...platform.broker, amqpUrl: "amqp://x:secret@127.0.0.1:1/x" };
      const ran = { code: 2, stderr: "broker: not reachable (connection refused at 127.0.0.1:1)\n" };
      const on = opsOn({ ...platform, broker });
      expect(await on("poison", "list")).toEqual({ ...ran, stdout: "" });
      const redriven = `${JSON.stringify({ matched: 0, redriven: 0 }, null, 2)}\n`;
      expect(await on("dead", "redrive", "--all", "--json")).toEqual({ ...ran, stdout: redriven });
    });

    test("gives up on a server that accepts connections and does not respond", async () => {
      const silent = net.createServer();
      await once(silent.listen(0, "127.0.0.1"), "listening");
      const at = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
      const databases = { ...platform.databases, orders: `postgres://x:secret@${at}/orders` };
      expect(await opsOn({ ...platform, databases })("outbox", "--json")).toMatchObject({
        ...{ code: 2, stderr: `orders: not reachable (no response at ${at})\n` },
      });
      silent.close();
    });
  });

  describe("on databases of a newer release", () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

    test("prints its release", async () => {
      expect(await ops("--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    });

    test("refuses, or says that it is older where the newer migrations promise to work with it", async () => {
      const { pool, stop } = connectPostgres({
        ...{ url: platform.databases.orders, name: "test", connectionsMax: 1 },
        logger: createLogger("test", "silent"),
      });
      await pool.query("insert into kysely_migration values ('9999-newer', now())");
      const refusal = `orders: the database has migration 9999-newer, which release ${version} does not know, and which does not promise to work with it: deploy the release that has this migration, or a newer one.\n`;
      expect(await ops("outbox")).toEqual({ code: 1, stdout: "", stderr: refusal });
      await pool.query("insert into migration_promises values ('9999-newer', '0.1.0')");
      expect(await ops("outbox", "--json")).toMatchObject({
        code: 0,
        stderr: `A newer release has migrated the databases of orders; this is ops of release ${version}.\n`,
      });
      await pool.query("delete from migration_promises where name = '9999-newer'");
      await pool.query("delete from kysely_migration where name = '9999-newer'");
      await stop();
    });
  });

  test("reports that no platform is running", async () => {
    const nowhere = { ...addresses, GATEWAY_DATABASE_URL: "postgres://x:x@127.0.0.1:1/x" };
    const ran = await runScript("tools/ops/src/ops.ts", ["tenant", "list"], nowhere);
    expect(ran).toMatchObject({
      ...{ code: 2, stdout: "" },
      stderr: "gateway: not reachable (connection refused at 127.0.0.1:1)\n",
    });
    const wrong = { ...addresses, GATEWAY_DATABASE_URL: "localhost/a-secret", AMQP_URL: "http://b-secret" };
    expect(await runScript("tools/ops/src/ops.ts", ["tenant", "list"], wrong)).toMatchObject({
      ...{ code: 1, stdout: "" },
      stderr: "GATEWAY_DATABASE_URL must be a URL that begins with postgres:// or postgresql://.\n",
    });
    const empty = await createTestDatabase();
    const databases = { ...platform.databases, gateway: empty.url };
    expect(await opsOn({ ...platform, databases })("tenant", "list")).toMatchObject({
      ...{ code: 1, stdout: "" },
      stderr: expect.stringMatching(/^A database is not migrated .*"tenants".*\n$/),
    });
    await empty.drop();
    const broker = {
      ...platform.broker,
      amqpUrl: `${new URL("/no-such-vhost", platform.broker.amqpUrl).href}`,
    };
    expect(await opsOn({ ...platform, broker })("poison", "list")).toMatchObject({
      ...{ code: 1, stdout: "" },
      stderr: "The broker refuses AMQP_URL: 530 NOT_ALLOWED - vhost no-such-vhost not found.\n",
    });
  });
});
