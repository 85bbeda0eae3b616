import { once } from "node:events";
import { connect } from "node:net";
import { duplexPair } from "node:stream";
import tls from "node:tls";
import { test } from "@jest/globals";
import { startReceiver, testCertificate } from "../src/index.ts";

test("a receiver that stops closes a connection that is still in its TLS handshake", async () => {
  const receiver = await startReceiver(await testCertificate());
  const socket = connect(Number(new URL(receiver.url).port), "127.0.0.1");
  await once(socket, "connect");
  const [client, wire] = duplexPair();
  tls.connect({ socket: client }).on("error", () => undefined);
  const [hello] = await once(wire, "data");
  socket.write(hello);
  // The server has sent its part of the handshake and waits for the client.
  await once(socket, "data");
  socket.resume();
  const closed = once(socket, "close");
  await receiver.stop();
  await closed;
});
