// A name with several addresses: an address that cannot be reached does not hide one that is only slow.
import { getDefaultAutoSelectFamilyAttemptTimeout } from "node:net";
import { expect, test } from "@jest/globals";
import { addressGuard } from "../src/endpoint/address.ts";
import { LOOPBACK, startBareReceiver, startTestSend } from "./support/sending.ts";

test("an address that takes longer than Node's default is still reached, if the next one refuses", async () => {
  const receiver = await startBareReceiver(
    (socket) => void socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n")),
  );
  const guard = addressGuard(LOOPBACK, (_, __, callback) => {
    callback(null, [
      { address: "127.0.0.1", family: 4 },
      // Nothing listens there.
      { address: "::1", family: 6 },
    ]);
    // The connection is made meanwhile, but this process sees it only after Node's default has passed.
    setImmediate(() => busyFor(getDefaultAutoSelectFamilyAttemptTimeout() + 50));
  });
  const sender = startTestSend({ guard });
  try {
    expect((await sender.send(receiver.url)).outcome).toBe("delivered");
  } finally {
    await sender.stop();
    await receiver.stop();
  }
});

function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
