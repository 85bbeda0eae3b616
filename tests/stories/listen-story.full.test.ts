// `tradepost listen` on a laptop that sleeps for longer than a lease: nothing is lost, and each delivery is counted once.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient } from "@tradepost/client";
import { startReceiver, until } from "@tradepost/testing";
import { startListening } from "../support/listen-program.ts";
import { startTestPlatform } from "../support/test-platform.ts";

// Longer than a busy machine takes from the lease to the request.
const LEASE_MS = 3_000;

const platform = await startTestPlatform({ WEBHOOKS_LEASE_MS: String(LEASE_MS) });
afterAll(() => platform.stop());

test("another laptop takes over while it sleeps, and each delivery is counted once", async () => {
  await using running = new AsyncDisposableStack();
  const { apiKey } = await platform.createTenant();
  const tradepost = createClient({ url: platform.url, apiKey });
  const XDG_STATE_HOME = mkdtempSync(path.join(tmpdir(), "tradepost-state-"));
  running.defer(() => rmSync(XDG_STATE_HOME, { recursive: true }));
  const released = Promise.withResolvers<number>();
  let respond: () => Promise<number> = () => released.promise;
  const receiver = running.use(await startReceiver(null));
  receiver.behave(() => (res) => void respond().then((status) => res.writeHead(status).end()));
  const openLaptop = async () => {
    const environment = { TRADEPOST_URL: platform.url, TRADEPOST_API_KEY: apiKey, XDG_STATE_HOME };
    const program = startListening(environment, "--forward-to", receiver.url, "--events", "redirect.added");
    running.defer(async () => void (program.child.exitCode === null && (await program.end("SIGKILL"))));
    await program.ready();
    return program;
  };
  const addRedirect = (from: string) => tradepost.redirects.create({ from, to: "/new" });
  const untilDelivered = (count: number) =>
    until(`${count} delivered`, async () => {
      const all = await tradepost.deliveries.list().toArray({ limit: 100 });
      return all.length === count && all.every(({ status }) => status === "delivered") && all;
    });

  const laptop = await openLaptop();
  for (const from of ["/one", "/two"]) await addRedirect(from);
  await until("two requests", () => receiver.received.length === 2);
  laptop.child.kill("SIGSTOP");
  await addRedirect("/while-it-sleeps");
  respond = async () => 200;
  const other = await openLaptop();
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
