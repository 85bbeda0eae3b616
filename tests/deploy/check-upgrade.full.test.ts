// `ops queues --check-upgrade` on a real cluster of three nodes.
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type ClusterNode, prepareRabbitmqCluster, type RabbitmqCluster } from "@tradepost/devstack";
import { runCommand } from "@tradepost/ops/run-command";
import { until } from "@tradepost/testing";
import { connect } from "amqplib";

describe("ops queues --check-upgrade", () => {
  let directory: string;
  let cluster: RabbitmqCluster;
  let nodes: readonly ClusterNode[];

  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), "tradepost-check-upgrade-"));
    const prepared = await prepareRabbitmqCluster({ dataDir: directory, size: 3, log: () => undefined });
    if (prepared === undefined) throw new Error("RabbitMQ is not available");
    cluster = prepared;
    nodes = cluster.nodes;
    for (const node of nodes) await node.start();
  }, 180_000);

  afterAll(async () => {
    await cluster?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function check(...options: string[]) {
    let stdout = "";
    const [{ amqpUrl, managementUrl } = nodeAt(0)] = nodes;
    const code = await runCommand(["queues", "--check-upgrade", "--json", ...options], {
      addresses: () => ({ databases: {} as never, amqpUrl, managementUrl, mediaEnvironment: {} }),
      writeOut: (text) => (stdout += text),
      writeError: (text) => (stdout += text),
    });
    return { code, ...JSON.parse(stdout) };
  }

  const nodeAt = (index: number) => {
    const node = nodes[index];
    if (node === undefined) throw new Error(`there is no node ${index}`);
    return node;
  };

  test("accepts a healthy cluster, and prints a command that accepts one without quorum queues", async () => {
    const checked = await until("three nodes", async () => {
      const result = await check();
      return result.code === 0 && result;
    });
    expect(checked).toEqual({
      ...{ code: 0, ok: true, faults: [] },
      disabledFlags: expect.any(Array),
      machineVersionsCommand: expect.stringMatching(/^rabbitmqctl eval '.*'$/),
    });
    await nodeAt(0).control("eval", expressionOf(checked.machineVersionsCommand));
  });

  test("refuses while a node with members is down, and names node and queue", async () => {
    const connection = await connect(nodeAt(0).amqpUrl);
    const channel = await connection.createChannel();
    await channel.assertQueue("lagging", { durable: true, arguments: { "x-queue-type": "quorum" } });
    await connection.close();
    const { machineVersionsCommand } = await until("all its members", async () => {
      const result = await check("--machine-versions-checked");
      return result.code === 0 && result;
    });
    expect(await check()).toMatchObject({
      ...{ code: 1, ok: false },
      faults: [expect.stringContaining("--machine-versions-checked")],
    });
    const { name } = nodeAt(2);
    await nodeAt(2).kill();
    const refused = await until("the refusal of the queue", async () => {
      const result = await check("--machine-versions-checked");
      return result.faults.length === 2 && result;
    });
    expect(refused).toMatchObject({
      ...{ code: 1, ok: false },
      faults: [
        `The node ${name} is down: start it, so that its members report their version.`,
        `The queue lagging (virtual host /) has members that are not online, on ${name}, and stays at its machine version until they are: start these nodes.`,
      ],
    });
    // A member that does not say its version counts as behind.
    await expect(nodeAt(0).control("eval", expressionOf(machineVersionsCommand))).rejects.toThrow(
      new RegExp(`lagging[^}]*${name}[^}]*unknown`),
    );
    await nodeAt(2).start();
    await until("its return", async () => (await check("--machine-versions-checked")).code === 0);
  });
});

function expressionOf(command: string): string {
  return /'(.*)'$/.exec(command)?.[1] ?? "";
}
