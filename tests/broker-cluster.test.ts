// A cluster of three brokers (interface §16): nodes die, come back and are cut off from each other while redirects are added and
// delivered. Each one that was acknowledged is delivered, and nothing else.
//
// It runs with TEST_BROKER_CLUSTER=1 only: on some runs nothing is delivered for minutes after the death of a node, and why is not
// known yet.
import { mkdtemp, rm } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type ClusterNode, prepareRabbitmqCluster, type RabbitmqCluster } from "@tradepost/devstack";
import { maintainSharedExchanges } from "@tradepost/messaging";
import { createLogger, sleep } from "@tradepost/runtime";
import { type Receiver, startReceiver, type TestBroker, testCertificate, until } from "@tradepost/testing";
import {
  createPlatformBase,
  type PlatformBase,
  removePlatformBase,
  startTestPlatform,
  type TestPlatform,
  type TestTenant,
} from "./support/test-platform.ts";

// The nodes of the cluster need the processor, too.
const PACE_MS = 30;
const LOOK_MS = 300;

interface Queue {
  readonly name: string;
  readonly leader: string;
  readonly members: readonly string[];
  readonly online: readonly string[];
}

const isWanted = process.env.TEST_BROKER_CLUSTER === "1";
const directory = await mkdtemp(path.join(os.tmpdir(), "tradepost-cluster-"));
const cluster = isWanted
  ? await prepareRabbitmqCluster({ dataDir: directory, size: 3, log: console.log })
  : undefined;
// The tests are skipped then, but Jest collects them.
const NONE: RabbitmqCluster = { nodes: [], grow: async () => undefined, stop: async () => undefined };
const describeWithCluster = cluster === undefined ? describe.skip : describe;

describeWithCluster("a cluster of brokers (with TEST_BROKER_CLUSTER=1)", () => {
  const { nodes, grow, stop } = cluster ?? NONE;
  const [first, second, third] = nodes as [ClusterNode, ClusterNode, ClusterNode];
  const amqpUrl = nodes.map((node) => node.amqpUrl).join(",");
  let exchanges: ReturnType<typeof maintainSharedExchanges>;
  let base: PlatformBase;
  let platform: TestPlatform;
  let tenant: TestTenant;
  let receiver: Receiver;

  beforeAll(async () => {
    await first.start();
    exchanges = maintainSharedExchanges({ url: amqpUrl, logger: createLogger("test", "silent") });
    await exchanges.whenUp();
    base = await createPlatformBase();
    const broker: TestBroker = { ...base.broker, amqpUrl, managementUrl: first.managementUrl };
    const settings = { WEBHOOKS_RETRY_SCHEDULE: "200ms,500ms", WEBHOOKS_SWEEP_GRACE_MS: "1000" };
    platform = await startTestPlatform(settings, undefined, { ...base, broker });
    [tenant, receiver] = await Promise.all([
      platform.createTenant(),
      testCertificate().then((tls) => startReceiver(tls)),
    ]);
    const subscription = { name: "All", url: receiver.url, events: ["redirect.added"] };
    expect((await tenant.owner.post("/v1/webhooks/subscriptions", subscription)).status).toBe(201);
  });
  afterAll(async () => {
    await receiver.stop();
    await platform.stop();
    await exchanges.stop();
    await stop();
    await removePlatformBase(base);
    await rm(directory, { recursive: true });
  });

  const added = new Set<string>();
  /** Adds redirects one after the other while `change` runs, and then until `goal` is reached. */
  async function addingWhile(change: () => Promise<unknown>): Promise<void> {
    let isOver = false;
    const changing = change().finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await addOne();
      await sleep(PACE_MS);
    }
    await changing;
    await allDelivered();
  }
  async function addOne(): Promise<void> {
    const { status, body } = await tenant.key.post("/v1/redirects", { from: `/${added.size}`, to: "/new" });
    // The broker is not asked before the response.
    expect(status).toBe(201);
    added.add(body.data.id);
  }
  async function allDelivered(): Promise<void> {
    await addOne();
    await until("the delivery of each redirect", () => delivered().size >= added.size);
    expect(delivered()).toEqual(added);
  }
  const delivered = () =>
    new Set(receiver.received.map(({ body }) => JSON.parse(body.toString()).data.redirect.id as string));
  const queues = async (): Promise<Queue[]> => {
    for (const { managementUrl } of nodes) {
      const url = new URL(managementUrl);
      const authorization = `Basic ${btoa(`${url.username}:${url.password}`)}`;
      const response = await fetch(`${url.origin}/api/queues`, { headers: { authorization } }).catch(
        () => null,
      );
      if (response?.ok) return (await response.json()) as Queue[];
    }
    return [];
  };
  const accepts = ({ amqpUrl: url }: ClusterNode) =>
    new Promise<boolean>((resolve) => {
      const socket = net.connect(Number(new URL(url).port), "127.0.0.1");
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
  const untilAllHave = (count: number) =>
    until(`${count} members of each queue`, async () => {
      await sleep(LOOK_MS);
      const found = await queues();
      return (
        found.length > 0 &&
        found.every(({ members, online }) => members?.length === 3 && online?.length === count)
      );
    });

  test("grows from one node to three under load, and every queue gets three members", async () => {
    await addingWhile(async () => {
      await Promise.all([second.start(), third.start()]);
      await grow(second);
      await grow(third);
      await untilAllHave(3);
    });
  });

  test("goes on without the node that leads the queue of events, and takes it back", async () => {
    const leader = (await queues()).find(({ name }) => name === "webhooks.events")?.leader;
    const node = nodes.find(({ name }) => name === leader) as ClusterNode;
    await addingWhile(() => node.kill());
    await addingWhile(() => node.start());
    await untilAllHave(3);
  });

  test("goes on after two of three nodes were down", async () => {
    await addingWhile(async () => {
      await Promise.all([second.kill(), third.kill()]);
      await Promise.all([second.start(), third.start()]);
    });
    await untilAllHave(3);
  });

  test("goes on while a node is cut off from the others", async () => {
    await addingWhile(async () => {
      await first.cutOff();
      // A minority of one refuses its clients.
      await until("the pause of the node", async () => !(await accepts(first)));
      await untilAllHave(2);
    });
    await addingWhile(() => first.rejoin());
    await untilAllHave(3);
  });
});
