// Reads from several nodes of RabbitMQ, one of which accepts connections but does not respond, like a node that has lost the
// others.
import http from "node:http";
import net from "node:net";
import { listenLocally } from "@tradepost/testing";
import { askManagement } from "../src/management.ts";

test("a node that does not respond is left out", async () => {
  const silent = await listenLocally(net.createServer());
  const responding = await listenLocally(http.createServer((_, res) => res.end('["a queue"]')));
  const [first, second] = [silent, responding].map(({ port }) => `127.0.0.1:${port}`);
  try {
    expect(
      await askManagement(`http://guest:guest@${first},http://guest:guest@${second}`, "/queues", 5_000),
    ).toEqual(["a queue"]);
    await expect(askManagement(`http://guest:guest@${first}`, "/queues", 50)).rejects.toThrow(
      `RabbitMQ's management API at ${first} does not respond`,
    );
  } finally {
    await silent.stop();
    await responding.stop();
  }
});
