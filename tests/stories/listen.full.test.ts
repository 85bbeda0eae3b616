// `tradepost listen` receives webhooks on a machine that cannot be reached from outside.
import { mkdtempSync, readdirSync, statSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient, type Tradepost } from "@tradepost/client";
import { verifyWebhook } from "@tradepost/client/webhooks";
import { startFaultProxy, startReceiver, until } from "@tradepost/testing";
import { type ListenProgram, startListening, startProgram } from "../support/listen-program.ts";
import { startTestPlatform, type TestTenant } from "../support/test-platform.ts";

let tenant: TestTenant;
let tradepost: Tradepost;
let environment: Record<string, string>;
let programs: ListenProgram[];

const platform = await startTestPlatform({ WEBHOOKS_RETRY_SCHEDULE: "50ms,50ms,50ms,50ms,50ms,50ms,50ms" });
afterAll(() => platform.stop());

beforeEach(async () => {
  tenant = await platform.createTenant();
  tradepost = createClient({ url: platform.url, apiKey: tenant.apiKey });
  const XDG_STATE_HOME = mkdtempSync(path.join(tmpdir(), "tradepost-state-"));
  environment = { TRADEPOST_URL: platform.url, TRADEPOST_API_KEY: tenant.apiKey, XDG_STATE_HOME };
  programs = [];
});
afterEach(async () => {
  for (const program of programs) {
    if (program.child.exitCode === null && program.child.signalCode === null) await program.end("SIGKILL");
  }
});

function start(...args: string[]): ListenProgram {
  const program = startListening(environment, ...args);
  programs.push(program);
  return program;
}

/** Starts a receiver on this machine, whose responses are written by `respond`. */
async function receive(respond?: (res: ServerResponse) => unknown) {
  const receiver = await startReceiver(null);
  if (respond !== undefined) receiver.behave(() => respond);
  return receiver;
}

/** Starts a program that forwards to the receiver's address, and waits until it is ready. */
async function listen({ url }: { url: string }, ...more: string[]): Promise<ListenProgram> {
  const program = start("--forward-to", `${url}/hooks`, "--events", "redirect.added", ...more);
  await program.ready();
  return program;
}

/** Resolves with the parsed lines of a program with --json once there are `count` of them. */
const printed = (program: ListenProgram, count: number) =>
  until(`${count} lines`, () => {
    const lines = program.lines();
    return lines.length === count && lines.map((line) => JSON.parse(line));
  });
const addRedirect = (from: string) => tradepost.redirects.create({ from, to: "/" });
const statusOf = async (id: string) => (await tradepost.deliveries.get(id)).status;

test("forwards each delivery with its headers and exact bytes, prints a line, and reports the response", async () => {
  await using receiver = await receive((res) => res.writeHead(202).end("thanks"));
  const program = await listen(receiver, "--print-secret");
  const redirect = await addRedirect("/größe");
  const [line = ""] = await until("a line", () => program.lines().length > 0 && program.lines());
  expect(line).toMatch(/^\d\d:\d\d:\d\d {2}202 {2}redirect\.added {2}[0-9a-f-]{36} {2}\d+ ms$/);

  const [hook] = receiver.received;
  if (hook === undefined) throw new Error("nothing was received");
  expect(hook.path).toBe("/hooks");
  const secret = /signing secret: (whsec_\S+)/.exec(program.notes())?.[1] ?? "";
  const event = await verifyWebhook(secret, hook.headers, hook.body);
  expect(event).toMatchObject({ type: "redirect.added", data: { redirect } });
  expect(hook.headers).toMatchObject({ "x-service-event": "redirect.added", "x-service-attempt": "1" });

  await until("the delivery is recorded", async () => (await statusOf(event.id)) === "delivered");
  const { attempts } = await tradepost.deliveries.get(event.id);
  expect(attempts).toMatchObject([{ attempt: 1, statusCode: 202, responseBody: "thanks" }]);
  expect(await program.end()).toBe(0);
});

test("the listener is kept: what happens meanwhile is forwarded by the next start", async () => {
  await using receiver = await receive();
  const first = await listen(receiver, "--print-secret");
  expect(await first.end()).toBe(0);
  expect(first.notes()).toContain("The listener is kept");
  await addRedirect("/meanwhile");

  const second = await listen(receiver, "--print-secret");
  await until("the delivery", () => receiver.received.length === 1);
  expect(second.notes()).toContain("continuing with listener");
  // The platform shows a secret only once, so this machine has kept it, readable only by its user.
  const secret = /signing secret: (whsec_\S+)/.exec(first.notes())?.[1] ?? "";
  expect(second.notes()).toContain(secret);
  const directory = path.join(environment.XDG_STATE_HOME ?? "", "tradepost/listeners");
  for (const file of readdirSync(directory))
    expect(statSync(path.join(directory, file)).mode & 0o777).toBe(0o600);
  expect(await tradepost.listeners.list().toArray({ limit: 10 })).toHaveLength(1);
});

test("several at once, each with an address of its own, get every event", async () => {
  await using one = await receive();
  await using two = await receive();
  await Promise.all([one, two].map((receiver) => listen(receiver)));
  await addRedirect("/both");
  await until("both deliveries", () => one.received.length === 1 && two.received.length === 1);
});

test("two with the same address share its deliveries", async () => {
  await using receiver = await receive();
  await listen(receiver);
  await listen(receiver);
  for (let number = 0; number < 20; number += 1) await addRedirect(`/shared-${number}`);
  await until("all deliveries", () => receiver.received.length >= 20);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(20);
});

test("a response that is not 2xx, and a receiver that is not there, are attempts that failed and are repeated", async () => {
  await using receiver = await receive((res) =>
    res.writeHead(receiver.received.length < 3 ? 500 : 204).end(),
  );
  const program = await listen(receiver, "--json");
  await addRedirect("/retried");
  expect(await printed(program, 3)).toMatchObject([
    { attempt: 1, statusCode: 500, type: "redirect.added" },
    { attempt: 2, statusCode: 500 },
    { attempt: 3, statusCode: 204 },
  ]);

  const nobody = start("--forward-to", "127.0.0.1:1", "--events", "redirect.removed", "--json");
  await nobody.ready();
  const redirect = await addRedirect("/refused");
  await tradepost.redirects.delete(redirect.id);
  const [{ deliveryId }] = await printed(nobody, 8);
  await until("the delivery has failed", async () => (await statusOf(deliveryId)) === "failed");
  const { attempts } = await tradepost.deliveries.get(deliveryId);
  expect(attempts).toHaveLength(8);
  expect(attempts[0]).toMatchObject({ outcome: "connection_refused" });
});

test.each(["000", "101", "999"])(
  "a status of %s is not a response of HTTP: the attempt failed, and the program goes on",
  async (status) => {
    await using receiver = await receive((res) => {
      if (receiver.received.length === 2) return void res.writeHead(204).end();
      res.socket?.end(`HTTP/1.1 ${status} Odd\r\nConnection: Upgrade\r\nUpgrade: odd\r\n\r\n`);
    });
    const program = await listen(receiver, "--json");
    await addRedirect("/odd");
    expect(await printed(program, 2)).toMatchObject([
      { attempt: 1, outcome: "response_invalid" },
      { attempt: 2, statusCode: 204 },
    ]);
    expect(await program.end()).toBe(0);
    expect(program.notes()).not.toContain("not counted");
  },
);

test("goes on when the platform is back, and reports what it could not report meanwhile", async () => {
  const proxy = await startFaultProxy(platform.url);
  try {
    const release = Promise.withResolvers<void>();
    await using receiver = await receive((res) => void release.promise.then(() => res.writeHead(204).end()));
    environment.TRADEPOST_URL = proxy.url;
    const program = await listen(receiver);
    await addRedirect("/before");
    await until("the delivery", () => receiver.received.length === 1);
    await proxy.refuse();
    release.resolve();
    await until("it notices", () => program.notes().includes("the platform does not respond"));
    await addRedirect("/meanwhile");
    await proxy.restore();
    await until("the next delivery", () => receiver.received.length === 2);
    for (const { headers } of receiver.received) {
      const id = String(headers["webhook-id"]);
      await until("it is recorded", async () => (await statusOf(id)) === "delivered");
    }
  } finally {
    await proxy.stop();
  }
});

test("does not follow a redirect", async () => {
  await using other = await receive();
  await using receiver = await receive((res) => res.writeHead(307, { location: other.url }).end());
  const program = await listen(receiver);
  await addRedirect("/redirected");
  await until("a line", () => program.lines().length > 0);
  expect(program.lines()[0]).toContain("  307  ");
  expect(other.received).toHaveLength(0);
});

test("--resend sends a delivery again, by the program that listens", async () => {
  await using receiver = await receive();
  const program = await listen(receiver, "--json");
  await addRedirect("/again");
  const [{ deliveryId }] = await printed(program, 1);
  await until("it is recorded", async () => (await statusOf(deliveryId)) === "delivered");

  const resend = start("--resend", deliveryId);
  expect(await resend.exited).toBe(0);
  await until("it arrives again", () => receiver.received.length === 2);
  expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([deliveryId, deliveryId]);

  const another = start(
    ...["--forward-to", receiver.url, "--events", "redirect.removed", "--resend", deliveryId, "--delete"],
  );
  await another.ready();
  expect(another.notes()).toContain(`delivery ${deliveryId} waits for listener `);
  await until("it arrives at the first program", () => receiver.received.length === 3);

  const unknown = start("--resend", "0198c5b3-2f4b-7a10-9d3c-1f2e3d4c5b6a");
  expect(await unknown.exited).toBe(1);
  expect(unknown.notes()).toBe("0198c5b3-2f4b-7a10-9d3c-1f2e3d4c5b6a is not a delivery of a listener.\n");
});

test("Ctrl-C finishes and reports what was leased; --delete deletes the listener", async () => {
  const release = Promise.withResolvers<void>();
  await using receiver = await receive((res) => void release.promise.then(() => res.writeHead(204).end()));
  const program = await listen(receiver, "--delete");
  await addRedirect("/slow");
  await until("the delivery", () => receiver.received.length === 1);
  program.child.kill("SIGINT");
  await until("it is finishing", () => program.notes().includes("finishing"));
  release.resolve();
  expect(await program.exited).toBe(0);
  expect(await statusOf(String(receiver.received[0]?.headers["webhook-id"]))).toBe("delivered");
  expect(await tradepost.listeners.list().toArray({ limit: 10 })).toEqual([]);
});

test("a second Ctrl-C ends it at once, and the delivery comes again", async () => {
  await using receiver = await receive(() => undefined);
  const program = await listen(receiver);
  await addRedirect("/stuck");
  await until("the delivery", () => receiver.received.length === 1);
  program.child.kill("SIGINT");
  await until("it is finishing", () => program.notes().includes("finishing"));
  expect(await program.end("SIGINT")).toBe(130);
  const [listener] = await tradepost.listeners.list().toArray({ limit: 1 });
  expect(listener?.waiting).toMatchObject({ leased: 1 });
});

test("reports what it has leased and ends when nobody reads its output", async () => {
  await using receiver = await receive();
  const program = await listen(receiver);
  program.child.stdout?.destroy();
  await addRedirect("/unread");
  expect(await program.exited).toBe(0);
  expect(program.notes()).toContain("The listener is kept");
  expect(await statusOf(String(receiver.received[0]?.headers["webhook-id"]))).toBe("delivered");
});

describe("refuses to forward", () => {
  test.each([
    ["http://8.8.8.8/hooks", "8.8.8.8 is not an address of this machine"],
    ["http://0.0.0.0:3000", "0.0.0.0 is not an address of this machine"],
    ["http://[::ffff:10.0.0.1]:3000", "is not an address of this machine"],
    ["ftp://localhost/hooks", "is not an address to forward to"],
    ["http://nowhere.invalid", "nowhere.invalid has no address."],
  ])("to %s", async (target, message) => {
    const program = start("--forward-to", target);
    expect(await program.exited).toBe(1);
    expect(program.notes()).toContain(message);
    expect(await tradepost.listeners.list().toArray({ limit: 10 })).toEqual([]);
  });

  test("unless --allow-remote", async () => {
    await listen({ url: "http://192.0.2.1" }, "--allow-remote");
  });
});

test("another laptop takes over while one sleeps for longer than a lease, and each delivery is counted once", async () => {
  // Longer than a busy machine takes from the lease to the request.
  const webhooks = await platform.startWebhooks({ WEBHOOKS_LEASE_MS: "3000" });
  environment.TRADEPOST_URL = (await platform.startGateway({ WEBHOOKS_URL: webhooks.url })).url;
  const released = Promise.withResolvers<number>();
  let respond: () => Promise<number> = () => released.promise;
  await using receiver = await receive((res) => void respond().then((status) => res.writeHead(status).end()));
  const untilDelivered = (count: number) =>
    until(`${count} delivered`, async () => {
      const all = await tradepost.deliveries.list().toArray({ limit: 100 });
      return all.length === count && all.every(({ status }) => status === "delivered") && all;
    });

  const laptop = await listen(receiver);
  for (const from of ["/one", "/two"]) await addRedirect(from);
  await until("two requests", () => receiver.received.length === 2);
  laptop.child.kill("SIGSTOP");
  await addRedirect("/while-it-sleeps");
  respond = async () => 200;
  const other = await listen(receiver);
  const taken = await untilDelivered(3);
  released.resolve(500);
  laptop.child.kill("SIGCONT");
  // The first laptop is awake once it has forwarded another delivery.
  other.child.kill("SIGSTOP");
  await addRedirect("/again-awake");
  await untilDelivered(4);
  for (const { id } of taken) {
    const { attempts } = await tradepost.deliveries.get(id);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(["delivered"]);
  }
});

test("mistakes are sentences: no platform, no target, a wrong key, an unknown type", async () => {
  const mistakes: [Record<string, string>, string[], string][] = [
    [
      { TRADEPOST_URL: "", TRADEPOST_API_KEY: "", TRADEPOST_DATA_DIR: "/nowhere" },
      ["--forward-to", "3000"],
      "No platform found.",
    ],
    [{ TRADEPOST_API_KEY: "" }, ["--forward-to", "3000"], "Set both TRADEPOST_URL and TRADEPOST_API_KEY"],
    [{}, [], "--forward-to is missing"],
    [{ TRADEPOST_URL: "shop" }, ["--forward-to", "3000"], "TRADEPOST_URL must be an http or https address"],
    [{ TRADEPOST_API_KEY: "two words" }, ["--forward-to", "3000"], "TRADEPOST_API_KEY must be 1 to 4096"],
    [{ XDG_STATE_HOME: "/dev/null" }, ["--forward-to", "3000"], "The signing secret cannot be kept"],
    [{ TRADEPOST_API_KEY: "sk_live_wrong" }, ["--forward-to", "3000"], "401 unauthorized"],
    [{}, ["--forward-to", "3000", "--events", "order.placed"], "422 validation_error"],
  ];
  await Promise.all(
    mistakes.map(async ([changes, args, message]) => {
      const program = startListening({ ...environment, ...changes }, ...args);
      expect(await program.exited).toBe(1);
      expect(program.notes()).toContain(message);
      expect(program.notes()).not.toContain("    at ");
      expect(program.notes()).not.toContain("sk_live_wrong");
    }),
  );
});

test("`tradepost listeners` shows the tenant's listeners and deletes one", async () => {
  const kept = await tradepost.listeners.create({ name: "Kept", events: ["redirect.added"] });
  const deleted = await tradepost.listeners.create({ name: "Till\u200d", events: ["media.uploaded"] });
  await addRedirect("/waits");
  await until("what waits", async () => (await tradepost.listeners.get(kept.id)).waiting.pending === 1);
  const run = async (...args: string[]) => {
    const program = startProgram(environment, "listeners", ...args);
    programs.push(program);
    return [await program.exited, program.lines(), program.notes()] as const;
  };
  expect(await run("list")).toEqual([
    0,
    [
      `${deleted.id}  active  0 waiting  media.uploaded  Till\uFFFD`,
      `${kept.id}  active  1 waiting  redirect.added  Kept`,
    ],
    "",
  ]);
  expect(await run("delete", deleted.id)).toEqual([0, [`The listener ${deleted.id} is deleted.`], ""]);
  expect(await run("delete", deleted.id)).toEqual([1, [], expect.stringMatching(/\S/)]);
  expect((await run("list"))[1]).toHaveLength(1);
});
