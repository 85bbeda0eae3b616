// Runs the commands that the README, the first requests and the guide to reading print, with only the platform's address changed.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { sleep } from "@tradepost/runtime";
import { until } from "@tradepost/testing";
import { dataOf } from "../support/data-of.ts";
import { startListening, startLocalReceiver } from "../support/listen-program.ts";
import { type SharedPlatform, sharedPlatform, type TestTenant } from "../support/test-platform.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PROGRAM = path.join(ROOT, "packages/client/src/cli/tradepost.ts");
const PRINTED_URL = "http://127.0.0.1:8080";

const describeWithCurl = spawnSync("curl", ["--version"]).status === 0 ? describe : describe.skip;

describeWithCurl("the printed commands (if curl is installed)", () => {
  let platform: SharedPlatform;
  let tenant: TestTenant;
  let folder: string;
  let victim: ChildProcess;
  beforeAll(async () => {
    platform = await sharedPlatform();
    tenant = await platform.createTenant();
    folder = await mkdtemp(path.join(tmpdir(), "tradepost-commands-"));
    await mkdir(path.join(folder, ".data"));
    const user = { email: "demo@shop.example", password: "a passphrase of the demo" };
    dataOf(await tenant.owner.post("/v1/users", { ...user, name: "Demo", role: "owner" }), 201);
    const demo = {
      apiKey: tenant.apiKey,
      customerId: tenant.customerId,
      ownerEmail: user.email,
      ownerPassword: user.password,
    };
    // A process in place of the webhooks service, which runs in the test's own process.
    victim = spawn("sleep", ["infinity"]);
    const processes = { webhooks: [{ pid: victim.pid }] };
    await writeFile(
      path.join(folder, ".data/stack.json"),
      JSON.stringify({ gatewayUrl: platform.url, demo, processes }),
    );
  });
  afterAll(async () => {
    victim.kill();
    await rm(folder, { recursive: true });
  });

  /** Runs the commands in one shell and resolves with the lines that they print. */
  const run = async (commands: readonly string[]) => {
    const script = commands
      .join("\n")
      .replaceAll(PRINTED_URL, platform.url)
      // As npm runs it, but in the folder of the test.
      .replaceAll("npm run api --", `'${process.execPath}' --conditions=source '${PROGRAM}' api`)
      // Nothing is sent to this address, because it refuses connections.
      .replaceAll("https://example.com", "https://localhost:1");
    const shell = spawn("bash", ["-ec", script], {
      cwd: folder,
      env: { ...process.env, NODE_NO_WARNINGS: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let errors = "";
    shell.stdout.on("data", (chunk) => (output += chunk));
    shell.stderr.on("data", (chunk) => (errors += chunk));
    const [code] = await once(shell, "close");
    expect([code, errors]).toEqual([0, ""]);
    return output.split("\n");
  };

  test("of the first requests work, and print one response on each line", async () => {
    const lines = await run(await shellBlocks("docs/first-requests.md", "# First requests", "## Next"));
    expect(lines.pop()).toBe("");
    const responses = lines.map((line) => JSON.parse(line));
    expect(responses).toMatchObject([
      { success: true, data: { actor: { type: "api_key" } } },
      { success: true, data: { orderNumber: "1001", total: 59.97 } },
      { success: true, data: [{ orderNumber: "1001" }] },
      { success: true, data: { from: "/old-shop" } },
      { success: true, data: { signingSecret: expect.stringMatching(/^whsec_/) } },
    ]);
    expect(responses).toHaveLength(5);
  });

  test("of the README place an order, receive a webhook, show it, and kill a process", async () => {
    const [start, order, listen = "", redirect, kill, ...others] = await shellBlocks(
      "README.md",
      "# Tradepost",
      "- **Integrate**",
    );
    // system.full.test.ts starts the platform.
    expect([start, others]).toEqual(["npm start -- --open\n", []]);
    const jsonOf = async (block = "") => (await run([block])).map((line) => line && JSON.parse(line));
    expect(await jsonOf(order)).toMatchObject([
      { success: true, data: { total: 59.97, customerId: tenant.customerId } },
      { success: true, data: expect.arrayContaining([expect.objectContaining({ type: "order.placed" })]) },
      "",
    ]);
    await using receiver = await startLocalReceiver();
    const [, words = ""] = /^npm run listen -- (.*)$/m.exec(listen) ?? [];
    const state = { TRADEPOST_DATA_DIR: path.join(folder, ".data"), XDG_STATE_HOME: folder };
    const program = startListening(
      state,
      ...words.replace("http://localhost:3000/hooks", receiver.url).split(" "),
    );
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
  });

  test("of the guide to reading wait for a change, and print it", async () => {
    const [setKey = ""] = await shellBlocks("docs/first-requests.md", "# First requests", "## Next");
    const guide = await shellBlocks(
      "docs/reading-orders-and-content.md",
      "## Follow the change feed",
      "### Why a poll",
    );
    let isDone = false;
    const printed = run([setKey.split("\n", 1)[0] ?? "", ...guide]).finally(() => {
      isDone = true;
    });
    const order = { customerId: tenant.customerId, items: [{ sku: "A", name: "A" }] };
    while (!isDone) {
      dataOf(await tenant.key.post("/v1/orders", order), 201);
      await sleep(50);
    }
    const [line = ""] = await printed;
    const { success, data, page } = JSON.parse(line);
    expect({ success, page }).toMatchObject({ success: true, page: { nextCursor: expect.any(String) } });
    // A busy machine may place two orders before the reader is woken.
    expect(new Set(data.map((event: { type: string }) => event.type))).toEqual(new Set(["order.placed"]));
  });
});

/** Returns the shell commands between two headings of a page. */
async function shellBlocks(page: string, from: string, to: string): Promise<string[]> {
  const text = await readFile(path.join(ROOT, page), "utf8");
  const [start, end] = [text.indexOf(from), text.indexOf(to)];
  expect([page, start >= 0 && end > start]).toEqual([page, true]);
  return [...text.slice(start, end).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code]) => code ?? "");
}
