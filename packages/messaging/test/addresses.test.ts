// The addresses of a broker: the next of several is tried when one fails, and a broker's certificate may come from a private
// authority.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { maintainSharedExchanges } from "@tradepost/messaging";
import { createLogger, withBrokerCa } from "@tradepost/runtime";
import {
  createAuthority,
  createTestBroker,
  issueCertificate,
  listenLocally,
  startFaultProxy,
  startTlsProxy,
  until,
} from "@tradepost/testing";
import { testWith } from "./support/open-servers.ts";

// The tests run at the same time, because they mostly wait.
const test = testWith(setUp);

describe("a broker", () => {
  test("is reached at its next address when one fails, and at the first after the last", async (fixture) => {
    const { ended, broker, connect } = fixture;
    const nodes = await Promise.all([1, 2, 3].map(() => startFaultProxy(broker.amqpUrl)));
    for (const node of nodes) ended.defer(node.stop);
    const connected: number[] = [];
    const [first, second, third] = nodes;
    await first?.refuse();
    const url = nodes.map((node) => node.url).join(",");
    const connection = connect(url, (entry) => {
      if (entry.msg !== "broker connection lost") return;
      connected.push(nodes.findIndex((node) => new URL(node.url).host === entry.host));
    });
    await connection.whenUp();
    expect(connected).toEqual([0]);
    await second?.refuse();
    await until("the end of the second connection", () => connected.length === 2);
    await connection.whenUp();
    await third?.refuse();
    await first?.restore();
    await until("the end of the third connection", () => connected.length === 3);
    await connection.whenUp();
    expect(connected).toEqual([0, 1, 2]);
  });

  for (const [what, change, expected] of [
    ["a wrong password", { password: "wrong" }, /^403 ACCESS_REFUSED - Login was refused/],
    [
      "a virtual host that does not exist",
      { pathname: "/nowhere" },
      /^530 NOT_ALLOWED - vhost nowhere not found/,
    ],
  ] as const)
    test(`that refuses ${what} is named in the log with its reason`, async ({ broker, connect }) => {
      const url = new URL(broker.amqpUrl);
      Object.assign(url, change);
      let logged: unknown;
      connect(url.href, ({ msg, reason }) => {
        if (msg === "broker connection lost") logged ??= reason;
      });
      await until("the refusal", () => logged !== undefined);
      expect(logged).toMatch(expected);
    });

  test("that does not respond is left for the next address", async ({ ended, broker, connect }) => {
    const silent = await listenLocally(net.createServer((socket) => void socket.resume()));
    ended.defer(silent.stop);
    const dead = new URL(broker.amqpUrl);
    dead.port = String(silent.port);
    const connection = connect(`${dead.href},${broker.amqpUrl}`);
    await connection.whenUp();
  });

  test("is trusted by the authority of its address, and by no other", async ({ ended, broker, connect }) => {
    // Node does not trust this authority in tests.
    const authority = await createAuthority();
    const folder = await mkdtemp(path.join(os.tmpdir(), "authority-"));
    ended.defer(() => rm(folder, { recursive: true }));
    const caFile = path.join(folder, "ca.crt");
    await writeFile(caFile, authority.certificate);
    const secured = await startTlsProxy(broker.amqpUrl, await issueCertificate(authority, ["127.0.0.1"]));
    ended.defer(secured.stop);
    const reasons: string[] = [];
    connect(secured.url, ({ reason }) => reasons.push(String(reason)));
    const trusting = connect(withBrokerCa(secured.url, caFile));
    await trusting.whenUp();
    await until("two refusals", () => reasons.length >= 2);
    expect(reasons[0]).toMatch(/certificate/);
    // The authority is trusted for this connection only.
    const fetched = fetch(`https://${new URL(secured.url).host}`);
    await expect(fetched).rejects.toMatchObject({ cause: { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" } });
  });
});

async function setUp(ended: AsyncDisposableStack) {
  const broker = await createTestBroker();
  ended.defer(broker.drop);
  const connect = (url: string, onLog: (entry: Record<string, unknown>) => void = () => undefined) => {
    const logger = createLogger("test", "info", (line) => onLog(JSON.parse(line)));
    const connection = maintainSharedExchanges({ url, logger });
    ended.defer(connection.stop);
    return connection;
  };
  return { ended, broker, connect };
}
