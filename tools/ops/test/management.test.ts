// Reading from several nodes of RabbitMQ, of which one accepts connections and does not respond, as a node does that has lost the
// others.
import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { expect, test } from "@jest/globals";
import { askManagement } from "../src/management.ts";

test("a node that does not respond is left out", async () => {
  const silent = net.createServer();
  const responding = http.createServer((_, res) => res.end('["a queue"]'));
  for (const server of [silent, responding]) await once(server.listen(0, "127.0.0.1"), "listening");
  const addressOf = (server: net.Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [first, second] = [addressOf(silent), addressOf(responding)];
  try {
    expect(
      await askManagement(`http://guest:guest@${first},http://guest:guest@${second}`, "/queues", 5_000),
    ).toEqual(["a queue"]);
    await expect(askManagement(`http://guest:guest@${first}`, "/queues", 50)).rejects.toThrow(
      `RabbitMQ's management API at ${first} does not respond`,
    );
  } finally {
    for (const server of [silent, responding]) server.close();
    responding.closeAllConnections();
  }
});
