// Runs the printed commands: the README's, and every block of code on the pages to which /llms.txt of a running gateway leads, in
// their order. client.full.test.ts runs the programs of the client's README.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFile, readFile } from "node:fs/promises";
import path from "node:path";
import {
  type ApiClient,
  connectMcp,
  createTestDatabase,
  openTestPool,
  startReceiver,
  until,
} from "@tradepost/testing";
import { dataOf } from "../support/data-of.ts";
import { type Block, blocksOf, readPages, startReader } from "../support/reader.ts";
import { sharedPlatform } from "../support/test-platform.ts";

const README = path.resolve(import.meta.dirname, "../../README.md");
const NEEDS = ["curl --version", "openssl version", "psql --version", "python3 --version"];
const canRun = (command: string) => spawnSync("bash", ["-c", command]).status === 0;
const describeIfInstalled = NEEDS.every(canRun) ? describe : describe.skip;
const testWithCurl = canRun("curl --version") ? test : test.skip;
const platform = await sharedPlatform();

testWithCurl(
  "the README places an order, receives a webhook, shows it, and kills a process (if curl is installed)",
  async () => {
    const tenant = await platform.createTenant();
    await using reader = await startReader(platform, { tenant });
    // A process in place of the webhooks service, which runs in the test's own process.
    const victim = spawn("sleep", ["infinity"]);
    await reader.save({ processes: { webhooks: [{ pid: victim.pid }] } });
    const [text = ""] = (await readFile(README, "utf8")).split("- **Integrate**");
    const [start, order, listen = "", redirect, kill, ...others] = blocksOf({ page: "README.md", text })
      .filter(({ language }) => language === "sh")
      .map(({ code }) => code);
    // system.full.test.ts starts the platform.
    expect([start, others]).toEqual(["npm start -- --open\n", []]);
    const jsonOf = async (block = "") =>
      (await reader.run(block)).split("\n").map((line) => line && JSON.parse(line));
    expect(await jsonOf(order)).toMatchObject([
      { success: true, data: { total: 59.97, customerId: tenant.customerId } },
      { success: true, data: expect.arrayContaining([expect.objectContaining({ type: "order.placed" })]) },
      "",
    ]);
    await using receiver = await startReceiver(null);
    const program = reader.listen(listen, receiver.url);
    await program.ready();
    expect(await jsonOf(redirect)).toMatchObject([
      { success: true, data: { from: "/old" } },
      // The delivery may not be made yet.
      { success: true, data: expect.any(Array) },
      "",
    ]);
    await until("the webhook", () => receiver.received.length === 1);
    const killed = once(victim, "exit");
    expect(await jsonOf(kill)).toMatchObject([{ success: true, data: { from: "/older" } }, ""]);
    expect(await killed).toEqual([null, "SIGKILL"]);
    await until("the next webhook", () => receiver.received.length === 2);
    await program.end();
  },
);

describeIfInstalled(`with nothing but /llms.txt (if ${NEEDS.join(", ")} succeed)`, () => {
  const closing = new AsyncDisposableStack();
  let reader: Awaited<ReturnType<typeof startReader>>;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let pool: ReturnType<typeof openTestPool>;
  let key: ApiClient;
  let blocks: Block[];
  /** The output of the shell blocks. */
  const printed = new Map<Block, string>();

  beforeAll(async () => {
    const tenant = await platform.createTenant();
    key = tenant.key;
    receiver = await startReceiver();
    closing.defer(receiver.stop);
    const database = await createTestDatabase();
    closing.defer(database.drop);
    pool = openTestPool(database.url, 1);
    closing.defer(() => pool.end());
    reader = closing.use(
      await startReader(platform, {
        tenant,
        replaced: { "https://example.com": receiver.url },
        env: { DATABASE_URL: database.url },
      }),
    );
    for (const name of ["CERT", "KEY"])
      await copyFile(
        process.env[`TEST_CA_${name}_FILE`] ?? "",
        path.join(reader.folder, `.data/ca/authority.${name === "CERT" ? "crt" : "key"}`),
      );
    const guides = await readPages(platform.url, "Start here");
    blocks = guides.filter(({ page }) => page.startsWith("/docs/")).flatMap(blocksOf);
  });
  afterAll(() => closing.disposeAsync());

  async function tryBlock(block: Block): Promise<void> {
    const { language, code } = block;
    if (language === "ts") return void (await reader.runProgram(code));
    if (/https?:\/\/[^\s"]+\/mcp\b/.test(code)) return await connectAsConfigured(code);
    if (language === "json")
      return expect(JSON.parse([...printed.values()].at(-1) ?? "")).toEqual(shapeOf(JSON.parse(code)));
    if (language === "sql") return await prepare(code);
    // receivers-guide.full.test.ts checks the signatures of the request that is shown.
    if (language === "http") return expect(code).toMatch(/^POST /);
    expect(block).toMatchObject({ language: "sh" });
    if (!code.startsWith("npm run listen")) {
      const output = await reader.run(code);
      printed.set(block, output);
      for (const [response] of output.matchAll(/^\{.*$/gm))
        expect([code, JSON.parse(response)]).toEqual([code, expect.objectContaining({ success: true })]);
      return;
    }
    await using local = await startReceiver(null);
    const program = reader.listen(code, local.url);
    await program.ready();
    await program.end();
  }

  /** The configuration of an assistant's client has an address and a key with which another client connects. */
  async function connectAsConfigured(code: string): Promise<void> {
    const [, url = ""] = /(https?:\/\/[^\s"]+)\/mcp\b/.exec(reader.here(code)) ?? [];
    expect(code).toMatch(/Bearer (sk_live_…|\$\{input:\S+\})|bearer_token_env_var = "TRADEPOST_API_KEY"/);
    await (await connectMcp(url, reader.env().TRADEPOST_API_KEY ?? "")).close();
  }

  async function prepare(code: string): Promise<void> {
    for (const statement of code.replaceAll(/^--.*\n/gm, "").split(";"))
      await pool.query(/\$1/.test(statement) ? `prepare s as ${statement}; deallocate s` : statement);
  }

  test("every block of code of the pages for integrators works, in their order", async () => {
    let isDone = false;
    const customer = { customerId: (await key.get("/v1/customers")).body.data[0].id };
    // Customers go on shopping, so that a reader of the feed waits for something.
    const shop = until("the pages are read", async () => {
      dataOf(await key.post("/v1/orders", { ...customer, items: [{ sku: "A", name: "A" }] }), 201);
      return isDone;
    });
    try {
      for (const block of blocks) await tryBlock(block);
    } finally {
      isDone = true;
      await shop;
    }
    expect(printed.size).toBeGreaterThan(5);
  });

  const outputOf = (pattern: RegExp) => [...printed].find(([{ code }]) => pattern.test(code))?.[1] ?? "";
  test("a first order", () => {
    const responses = outputOf(/\/v1\/orders"/)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(responses[1]).toMatchObject({ success: true, data: { total: 59.97, status: "placed" } });
  });

  test("a verified webhook", async () => {
    expect(outputOf(/openssl dgst/)).toBe("genuine\n");
    const { code = "" } = blocks.find((block) => block.code.includes("openssl dgst")) ?? {};
    expect(await reader.run(`WEBHOOK_SECRET=whsec_other\n${code}`)).toBe("forged\n");
  });

  test("a reconciliation with the ledger", async () => {
    dataOf(await key.post("/v1/redirects", { from: "/reconciled", to: "/shop" }), 201);
    await receiver.waitFor("its webhook", ({ body }) => body.includes("/reconciled"));
    const block = blocks.find(({ code }) => code.includes("reconcile.py"))?.code ?? "";
    await until("every delivery is in the ledger", async () => {
      for (const { headers } of receiver.received)
        await pool.query(
          "insert into webhook_deliveries (id, occurred_at) values ($1, $2) on conflict (id) do nothing",
          [headers["x-service-delivery"], headers["x-service-event-time"]],
        );
      return (await reader.run(block)) === "equal open\n";
    });
  });
});

/** Matches a response with at least the shown fields, and any texts, because texts and times vary. */
function shapeOf(shown: unknown): unknown {
  if (Array.isArray(shown)) return expect.arrayContaining(shown.map(shapeOf));
  if (typeof shown === "object" && shown !== null)
    return expect.objectContaining(
      Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, shapeOf(value)])),
    );
  return typeof shown === "string" ? expect.any(String) : shown;
}
