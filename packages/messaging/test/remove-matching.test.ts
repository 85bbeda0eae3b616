// An operator's command removes matching messages from a queue that keeps them until somebody decides.
import { removeMatching } from "@tradepost/messaging";
import { openBroker } from "./support/open-servers.ts";

test("sees every message, also if another command holds them when it starts", async () => {
  await using ended = new AsyncDisposableStack();
  const { broker, raw } = await openBroker(ended);
  await raw.channel.assertQueue("parked", { arguments: { "x-queue-type": "quorum" } });
  await raw.send("parked", "a");
  await raw.send("parked", "b");
  const queue = { url: broker.amqpUrl, queue: "parked" };

  const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = removeMatching({
    ...queue,
    matches: async ({ content }) => {
      started.resolve();
      await gate.promise;
      return String(content) === "a";
    },
  });
  await started.promise;
  await expect(removeMatching({ ...queue, matches: () => true, lockTimeoutMs: 0 })).rejects.toThrow(
    "Another command is working on the queue parked. Run this one again when it has ended.",
  );
  const second = removeMatching({ ...queue, matches: () => true });
  gate.resolve();
  expect([await first, await second]).toEqual([1, 1]);
  expect(await raw.ready("parked")).toBe(0);
});
