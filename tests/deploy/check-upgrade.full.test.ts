// The command of docs/containers.md that finds quorum queues behind, on a real cluster of three nodes.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type ClusterNode, prepareRabbitmqCluster, type RabbitmqCluster } from "@tradepost/devstack";
import { until } from "@tradepost/testing";
import { connect } from "amqplib";

const page = await readFile(path.join(import.meta.dirname, "../../docs/containers.md"), "utf8");
const expression = /rabbitmqctl eval '([^']*)'/.exec(page)?.[1] ?? "";
const directory = await mkdtemp(path.join(os.tmpdir(), "tradepost-check-upgrade-"));
const prepared = await prepareRabbitmqCluster({ dataDir: directory, size: 3, log: () => undefined });
if (prepared === undefined) throw new Error("RabbitMQ is not available");
const cluster: RabbitmqCluster = prepared;
for (const node of cluster.nodes) await node.start();

afterAll(async () => {
  await cluster?.stop();
  await rm(directory, { recursive: true, force: true });
});

const nodeAt = (index: number): ClusterNode => {
  const node = cluster.nodes[index];
  if (node === undefined) throw new Error(`there is no node ${index}`);
  return node;
};

test("succeeds without quorum queues, and fails while a member does not say its version", async () => {
  await nodeAt(0).control("eval", expression);
  const connection = await connect(nodeAt(0).amqpUrl);
  const channel = await connection.createChannel();
  await channel.assertQueue("lagging", { durable: true, arguments: { "x-queue-type": "quorum" } });
  await connection.close();
  const { name } = nodeAt(2);
  await nodeAt(2).kill();
  await until("the member to be missed", async () => {
    const failure = await nodeAt(0)
      .control("eval", expression)
      .then(
        () => "",
        (error: Error) => error.message,
      );
    return new RegExp(`lagging[^}]*${name}[^}]*unknown`).test(failure);
  });
});
