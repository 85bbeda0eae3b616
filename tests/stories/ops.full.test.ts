// The operators' commands with a running platform: their output for people and for programs, and what they refuse.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import net, { type AddressInfo } from "node:net";
import { userInfo } from "node:os";
import { execute, runScript, SERVICES } from "@tradepost/devstack";
import { eventData } from "@tradepost/event-catalog";
import {
  apiClient,
  authenticator,
  bearer,
  captureMessages,
  createTestDatabase,
  until,
} from "@tradepost/testing";
import { publishMessages } from "../support/broker-messages.ts";
import { dataOf } from "../support/data-of.ts";
import { opsEnvironment, opsJsonOn, opsOn, type Words } from "../support/run-ops.ts";
import { startTestPlatform, type TestPlatform } from "../support/test-platform.ts";

const platform = await startTestPlatform();
const addresses: Record<string, string> = opsEnvironment(platform);

describe("npm run ops", () => {
  afterAll(() => platform.stop());

  const ops = (...words: Words) => opsOn(platform)(...words);
  const opsJson = (...words: Words) => opsJsonOn(platform)(...words);
  const opsWith = (databases: object) =>
    opsOn({ ...platform, databases: { ...platform.databases, ...databases } });
  const away = (service: string) => `postgres://x:secret@127.0.0.1:1/${service}`;
  const createTenant = (slug: string, email = `owner@${slug}.example`) =>
    opsJson(`tenant create --slug ${slug} --name ${slug} --owner-email ${email}`);
  const signIn = (email: string, password: string) =>
    apiClient(platform.url).post("/v1/auth/login", { email, password });

  test("creates a tenant whose owner can sign in, lists it, and emits tenant.created", async () => {
    const captured = await captureMessages(platform.broker.amqpUrl, "tenant.created");
    const created = await createTenant("acme", "Owner@Acme.example");
    const { tenantId } = created;
    const shown = { tenantId: expect.any(String), slug: "acme", name: "acme" };
    const password = expect.stringMatching(/^.{12,}$/);
    expect(created).toEqual({
      ...{ ...shown, modules: ["crm", "content"] },
      owner: { id: expect.any(String), email: "owner@acme.example", password },
    });
    dataOf(await signIn(created.owner.email, created.owner.password), 200);
    const event = await until("tenant.created", () => {
      const [message] = captured.messages;
      return message && JSON.parse(String(message.content));
    });
    await captured.stop();
    expect(event).toMatchObject({ tenant_id: tenantId, actor: { type: "operator" } });
    const tenant = { id: tenantId, slug: "acme", name: "acme", modules: ["content", "crm"] };
    expect(eventData["tenant.created"]?.schema.parse(event.data)).toMatchObject({ tenant });
    // Runs the command in its own process.
    const listed = await runScript("tools/ops/src/ops.ts", ["tenant", "list", "--json"], addresses);
    expect(listed).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(listed.stdout)).toEqual([
      { ...shown, modules: ["content", "crm"], createdAt: expect.any(String), suspended: false },
    ]);
  });

  test("status: a platform at work needs nobody", async () => {
    const { key, customerId } = await platform.createTenant();
    dataOf(await key.post("/v1/orders", { customerId, items: [{ sku: "MUG", name: "Mug" }] }), 201);
    expect(await ops("status")).toEqual({
      ...{ code: 0, stderr: "" },
      stdout: expect.stringMatching(/(^|\n)Nothing needs you\.\n*$/),
    });
    const status = await opsJson("status");
    const [text, number] = [expect.stringMatching(/^\d/), expect.any(Number)];
    expect(status).toMatchObject({
      processes: SERVICES.map((service) => ({ service, isReady: true, missing: [] })),
      broker: { version: expect.stringMatching(/^\d+\./), alarms: [], poison: 0 },
      deliveries: { oldestWaitingSeconds: number, dead: 0, endpointsDown: 0, notices: {} },
      ...{ tenantsNearQuota: 0, needs: [] },
    });
    const [, orders] = status.processes;
    expect(orders).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      since: expect.stringMatching(/Z$/),
    });
    expect(status.databases.orders).toMatchObject({
      ...{ version: text, connections: number, connectionsMax: number, bytes: number },
      ...{ standbys: [], waitsForStandby: false },
      outbox: { pending: number, parked: 0, oldestSeconds: number },
    });
  });

  test("lists a tenant's staff, and lets an only owner who forgot the password set a new one", async () => {
    const { owner } = await createTenant("lost");
    const user = { userId: owner.id, email: "owner@lost.example", role: "owner", active: true };
    expect(await opsJson("user list --tenant lost")).toEqual([{ ...user, lastSignInAt: null }]);
    const link = await opsJson("user setup-link Owner@Lost.example");
    expect(link).toEqual({ token: expect.any(String), expiresAt: expect.stringMatching(/Z$/) });
    const printed = await ops("user setup-link owner@lost.example");
    const token = /The token for owner@lost.example is (\S+)/.exec(printed.stdout)?.[1];
    const { post } = apiClient(platform.url);
    const password = "a horse of another colour";
    expect((await post("/v1/auth/setup", { token: link.token, password })).status).toBe(401);
    dataOf(await post("/v1/auth/setup", { token, password }), 200);
    const { token: session } = dataOf(await signIn(user.email, password), 200);
    expect(await opsJson("user list --tenant lost")).toEqual([
      { ...user, lastSignInAt: expect.stringMatching(/Z$/) },
    ]);
    const asOwner = apiClient(platform.url, bearer(session));
    const entries = dataOf(await asOwner.get("/v1/audit-log?action=user.setup_link_made"), 200);
    expect(entries).toHaveLength(2);
    expect(entries[0]).toMatchObject({
      ...{ actor: { type: "operator", name: "Operator" }, target: { type: "user", id: owner.id } },
    });
  });

  test("resets the second factor of a user who has lost it", async () => {
    const { owner } = await createTenant("phoneless");
    const { email, password } = owner;
    const user = apiClient(platform.url, bearer(dataOf(await signIn(email, password), 200).token));
    const { secret } = dataOf(await user.post("/v1/me/second-factor", { currentPassword: password }), 201);
    const code = await authenticator(secret).unused();
    dataOf(await user.post("/v1/me/second-factor/confirm", { code }), 200);
    expect(await opsJson("user reset-second-factor", email)).toEqual({ endedSessions: 1 });
    expect(dataOf(await signIn(email, password), 200).user).toMatchObject({
      id: owner.id,
      secondFactor: false,
    });
    const again = await ops("user reset-second-factor", email);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("No such second factor.")]);
  });

  const ID = "0198a000-0000-7000-8000-000000000001";
  const CREATE = "tenant create --name N --owner-email";
  const REPUBLISH = "events republish --service content";
  test.each([
    ["user list", /--tenant/],
    ["user list --tenant nobody", /no tenant with the slug nobody/],
    ["user setup-link nobody@nowhere.example", /No user has the e-mail nobody@nowhere.example/],
    [`${CREATE} other@acme.example --slug acme`, /slug already exists/],
    [`${CREATE} n@n.example --slug Not_A_Slug`, /A slug has/],
    [`${CREATE} nobody --slug n`, /e-mail/],
    [`${CREATE} n@n.example --slug n --modules crm,shop`, /crm and content/],
    ["dead redrive", /--all/],
    ["dead purge --all", /--yes/],
    ["dead show 17", /UUID/],
    ["dead redrive --all --per-second 0", /positive number/],
    ["deliveries explain 17", /UUID/],
    ["deliveries list", /--subscription/],
    [`deliveries list --subscription ${ID}`, /No subscription has this id/],
    [`deliveries list --subscription ${ID} --limit 1001`, /from 1 to 1000/],
    ["deliveries list --status late", /pending, retrying, paused/],
    [`deliveries explain ${ID}`, /No delivery has this id/],
    ["poison purge", /--yes/],
    ["poison list --queue webhooks.dead", /webhooks.poison, gateway.audit.poison, content.poison/],
    ["outbox unpark", /--event <id> or --all/],
    [`outbox unpark --all --event ${ID}`, /--event <id> or --all/],
    ["outbox nonsense", /unknown command|too many arguments/],
    ["backlog --by city", /tenant, endpoint/],
    ["backlog nonsense", /too many arguments/],
    ["notices list --kind nonsense", /endpoint_failing, endpoint_down/],
    ["notices list --tenant acme", /UUID/],
    ["events nonsense", /unknown command/],
    ["events find", /missing required argument/],
    ["events find 17", /UUID/],
    [`events find ${ID} --tenant acme`, /UUID/],
    ["events republish --since 2026-01-01", /--service/],
    ["events republish --service mail --since 2026-01-01", /gateway, orders, content, webhooks/],
    [REPUBLISH, /--event <id> or --since <time>/],
    [`${REPUBLISH} --since yesterday`, /ISO 8601/],
    [`${REPUBLISH} --since 5`, /ISO 8601/],
    [`${REPUBLISH} --since 2026-01-01 --per-second fast`, /positive number/],
    [`${REPUBLISH} --since 2026-01-02 --until 2026-01-01`, /--since must be before --until/],
    ["no-such-command", /unknown command/],
  ])(
    "refuses %j with a message on standard error and nothing on standard output",
    async (words, complaint) => {
      const ran = await ops(words, "--json");
      expect(ran).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(complaint) });
      expect(ran.stderr).not.toMatch(/\n\s+at /);
    },
  );

  test("prints the number of messages in the queues and outboxes", async () => {
    type Listed = Record<"name" | "consumers" | "members" | "online", unknown>[];
    const queues = await until("the management page's figures", async () => {
      const listed: Listed = await opsJson("queues");
      const isCounted = listed.some(
        ({ name, consumers }) => name === "webhooks.deliveries" && consumers === 1,
      );
      return isCounted && listed;
    });
    // The broker has one node, which has a member of each queue.
    expect(queues.map(({ members, online }) => `${members}/${online}`)).toEqual(queues.map(() => "1/1"));
    const named = [
      ...["1h", "1m", "2h", "4h", "5m", "15m", "30m"].map((wait) => `webhooks.retry.${wait}`),
      ...["dead", "deliveries", "events", "poison", "tallies"].map((name) => `webhooks.${name}`),
      ...["content.media", "content.poison", "gateway.audit", "gateway.audit.poison"],
      ...SERVICES.map((service) => `${service}.replay`),
    ];
    expect(queues.map(({ name }) => name)).toEqual(named.sort());
    const empty = { pending: 0, oldestAgeSeconds: 0, parked: 0 };
    expect(await opsJson("outbox")).toEqual(SERVICES.map((service) => ({ service, ...empty })));
    expect((await ops("outbox")).stdout).toMatch(/^service +pending +oldestAgeSeconds +parked\ngateway /);
  });

  test("explains the state of a delivery", async () => {
    const { owner, subscribe } = await platform.createTenant();
    const subscription = await subscribe("https://localhost:1/");
    const { id } = dataOf(await owner.post(`/v1/webhooks/subscriptions/${subscription.id}/test`), 202);
    const explained = await until("the first attempt", async () => {
      const explanation = await opsJson("deliveries explain", id);
      return explanation.where === "retry" && explanation;
    });
    expect(explained).toEqual({
      ...{ deliveryId: id, status: "retrying", where: "retry" },
      because: "It waits until the time of its next attempt. Attempt 1: connection_refused.",
      nextAttemptAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
    });
    expect((await ops("deliveries explain", id)).stdout).toMatch(
      /^retrying \(retry\): .*\nNext attempt: \d{4}-/,
    );
  });

  test("records who ran which command, without secrets and people, and shows it among the tenants' changes", async () => {
    const since = new Date();
    const as = (person: string, words: string) =>
      runScript("tools/ops/src/ops.ts", `${words} --json`.split(" "), { ...addresses, OPS_ACTOR: person });
    const slug = "tenant create --slug audited --name Audited --owner-email owner@audited.example";
    const { tenantId, owner } = JSON.parse((await as("ada", slug)).stdout);
    await as("bob", "tenant suspend audited");
    await as("bob", `user setup-link ${owner.email}`);
    expect((await ops("tenant resume audited")).code).toBe(0);
    expect((await ops("dead redrive")).code).toBe(1);
    const silent = [
      "tenant list",
      "tenant quota audited",
      "dead redrive --all --dry-run",
      "dead purge --all",
    ];
    for (const words of silent) await ops(words);

    const from = `audit --since ${since.toISOString()}`;
    const entries: { at: string; action: string; actor: { id: string; name: string }; changes: object }[] =
      await opsJson(from);
    expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).sort());
    const run = entries.filter(({ action }) => action.startsWith("ops "));
    const login = userInfo().username;
    const created = "--slug audited --name … --owner-email … --modules crm,content".split(" ");
    expect(run.map(({ actor, action, changes }) => [actor.name, action, changes])).toEqual([
      ["ada", "ops tenant create", { exitStatus: 0, arguments: created }],
      ["bob", "ops tenant suspend", { exitStatus: 0, arguments: ["audited"] }],
      ["bob", "ops user setup-link", { exitStatus: 0, arguments: ["o…@audited.example"] }],
      [login, "ops tenant resume", { exitStatus: 0, arguments: ["audited"] }],
      [login, "ops dead redrive", { exitStatus: 1, arguments: [] }],
    ]);
    const ofTenant: typeof entries = await opsJson(from, "--tenant audited");
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
    const suspensions = await opsJson(from, "--action", ["ops tenant suspend"]);
    expect(suspensions).toEqual([ofTenant[1]]);
    expect(JSON.stringify(entries)).not.toContain(owner.email);

    expect(await ops("tenant delete audited --yes")).toMatchObject({
      ...{ code: 0, stderr: expect.stringContaining("gateway") },
    });
    const afterwards = JSON.stringify(await opsJson(from));
    expect(afterwards).toContain("ops tenant delete");
    expect(afterwards).toMatch(/deleted:[0-9a-f]{16}/);
    expect(afterwards).not.toContain('"audited"');
    expect(afterwards).not.toContain(tenantId);
  });

  test("verifies the chains of the audit logs, and names the entry that was changed", async () => {
    const { tenantId } = await createTenant("chained");
    for (const words of ["suspend", "resume", "suspend"]) await ops(`tenant ${words} chained`);
    const whole = await opsJson("audit verify");
    expect(whole.ok).toBe(true);
    expect(whole.tenants).toContainEqual(
      expect.objectContaining({ tenant: "chained", ok: true, entries: 3, firstFault: null }),
    );
    const asOwner = (statement: string) => execute(platform.databases.gateway, statement, [tenantId]);
    await asOwner("update audit_log set target_id = 'x' where tenant_id = $1 and n = 2");
    const { code, stdout } = await ops("audit verify --tenant chained --json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout).tenants).toMatchObject([{ ok: false, firstFault: { n: 2, kind: "changed" } }]);
    await asOwner("delete from audit_log where tenant_id = $1 and n > 1");
    expect((await ops("audit verify --tenant chained")).stdout).toContain("entry 2 was removed");
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
    expect(await opsJson("usage --top 1")).toHaveLength(1);
    const { code, stdout } = await opsWith({ gateway: away("gateway") })("usage --json");
    const unknown = { slug: null, requests: null, refused: null, mediaBytes: null, eventBytes: null };
    expect([code, JSON.parse(stdout).find((row: { tenantId: string }) => row.tenantId === tenantId)]).toEqual(
      [2, { ...usage.found, ...unknown, events: number }],
    );
  });

  describe("without one of the databases, or without the broker", () => {
    const without = (...services: (keyof TestPlatform["databases"])[]) =>
      opsWith(Object.fromEntries(services.map((service) => [service, away(service)])));
    const refused = (...services: string[]) =>
      services.map((service) => `${service}: not reachable (connection refused at 127.0.0.1:1)\n`).join("");

    test("shows the others, names it, and exits with 2", async () => {
      expect(await without("orders")("outbox")).toEqual({
        ...{ code: 2, stderr: "" },
        stdout: expect.stringMatching(
          /^service .*\ngateway .*\ncontent .*\nwebhooks .*\norders: not reachable \(connection refused at 127\.0\.0\.1:1\)\n$/,
        ),
      });
      const { stdout, ...ran } = await without("orders", "content")("outbox --json");
      expect(ran).toEqual({ code: 2, stderr: refused("orders", "content") });
      expect(JSON.parse(stdout).map(({ service }: { service: string }) => service)).toEqual([
        "gateway",
        "webhooks",
      ]);
      expect(await without("webhooks")("backlog --json")).toEqual({
        ...{ code: 2, stdout: "[]\n" },
        stderr: refused("webhooks"),
      });
      expect(await without("gateway", "webhooks")("verify --json")).toEqual({
        ...{ code: 2, stderr: refused("gateway", "webhooks") },
        stdout: `${JSON.stringify({ ok: false, unreachable: ["gateway", "webhooks"] }, null, 2)}\n`,
      });
      expect(await without("content")("outbox unpark --all --json")).toEqual({
        ...{ code: 2, stderr: refused("content") },
        stdout: `${JSON.stringify({ unparked: 0 }, null, 2)}\n`,
      });
    });

    test("finds events in what can be read", async () => {
      const { key } = await platform.createTenant();
      const { body } = await key.post("/v1/redirects", { from: "/away", to: "/new" });
      const found = await until("the event", async () => {
        const { stdout, ...ran } = await without("webhooks", "gateway")("events find", body.data.id);
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
      expect(await on("poison list")).toEqual({ ...ran, stdout: "" });
      const redriven = `${JSON.stringify({ matched: 0, redriven: 0 }, null, 2)}\n`;
      expect(await on("dead redrive --all --json")).toEqual({ ...ran, stdout: redriven });
    });

    test("gives up on a server that accepts connections and does not respond", async () => {
      const silent = net.createServer();
      await once(silent.listen(0, "127.0.0.1"), "listening");
      const at = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
      expect(await opsWith({ orders: `postgres://x:secret@${at}/orders` })("outbox --json")).toMatchObject({
        ...{ code: 2, stderr: `orders: not reachable (no response at ${at})\n` },
      });
      silent.close();
    });
  });

  test("refuses databases of a newer release, or says that it is older where they promise to work with it", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    const pool = platform.pools.orders;
    await pool.query("insert into kysely_migration values ('9999-newer', now())");
    const refusal = `orders: the database has migration 9999-newer, which release ${version} does not know, and which does not promise to work with it: deploy the release that has this migration, or a newer one.\n`;
    expect(await ops("outbox")).toEqual({ code: 1, stdout: "", stderr: refusal });
    await pool.query("insert into migration_promises values ('9999-newer', '0.1.0')");
    expect(await ops("outbox --json")).toMatchObject({
      code: 0,
      stderr: `A newer release has migrated the databases of orders; this is ops of release ${version}.\n`,
    });
    await pool.query("delete from migration_promises where name = '9999-newer'");
    await pool.query("delete from kysely_migration where name = '9999-newer'");
  });

  test("says what is wrong with an address, a database or a broker", async () => {
    const run = (changed: object) =>
      runScript("tools/ops/src/ops.ts", ["tenant", "list"], { ...addresses, ...changed });
    expect(
      await run({ GATEWAY_DATABASE_URL: "localhost/a-secret", AMQP_URL: "http://b-secret" }),
    ).toMatchObject({
      ...{ code: 1, stdout: "" },
      stderr: "GATEWAY_DATABASE_URL must be a URL that begins with postgres:// or postgresql://.\n",
    });
    const empty = await createTestDatabase();
    expect(await opsWith({ gateway: empty.url })("tenant list")).toMatchObject({
      ...{ code: 1, stdout: "" },
      stderr: expect.stringMatching(/^A database is not migrated .*"tenants".*\n$/),
    });
    await empty.drop();
    const amqpUrl = new URL("/no-such-vhost", platform.broker.amqpUrl).href;
    expect(
      await opsOn({ ...platform, broker: { ...platform.broker, amqpUrl } })("poison list"),
    ).toMatchObject({
      ...{ code: 1, stdout: "" },
      stderr: "The broker refuses AMQP_URL: 530 NOT_ALLOWED - vhost no-such-vhost not found.\n",
    });
  });

  test("status: each problem is named with what to do about it", async () => {
    await createTenant("busy");
    await platform.pools.gateway.query("update tenants set near_quotas = '{eventBytes}' where slug = 'busy'");
    await platform.pools.content.query(
      `insert into outbox (event_id, aggregate_id, type, tenant_id, request_id, traceparent, actor, data, parked_at, attempts, next_try_at, occurred_at)
       select gen_random_uuid(), gen_random_uuid(), 'redirect.added', gen_random_uuid(), 'r', 't', '{}', '{}', parked_at, 3,
              now() + interval '1 hour', now() - interval '2 minutes'
         from (values (now()), (null)) as event (parked_at)`,
    );
    await publishMessages(platform.broker.amqpUrl, (channel) => {
      channel.sendToQueue("webhooks.poison", Buffer.from("?"));
    });
    await platform.stopOrders();

    // The broker's counts are some seconds old.
    const { code, stdout } = await until("the broker's count", async () => {
      const shown = await ops("status");
      return shown.stdout.includes("poison list") && shown;
    });
    expect(code).toBe(0);
    for (const line of [
      `orders at ${platform.urls.orders} does not respond: docs/runbooks/service-missing.md`,
      "1 events of content are parked: npm run ops -- outbox",
      "1 messages could not be read: npm run ops -- poison list",
      "1 tenants have nearly used up a quota: npm run ops -- notices list --open --kind quota_near",
    ])
      expect(stdout).toContain(line);
    expect(stdout).toMatch(
      /events of content waits for \d+ s to be published: docs\/runbooks\/outbox-old\.md/,
    );
  });
});
