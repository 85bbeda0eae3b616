// An attempt says which address it called, and how long each phase took if its connection is new or it fails (interface §24).
// redeliver.test.ts shows both in a delivery.
import net from "node:net";
import { addressGuard } from "../src/endpoint/address.ts";
import { LOOPBACK, listening, responding, useSending } from "./support/sending.ts";

const OK = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
const ms = expect.any(Number);
const NONE = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };

const { sending, receive, listen } = useSending();

test("over a new connection measures each phase, and over an open one none", async () => {
  const [receiver, send] = [await receive(responding(OK)), sending()];
  expect(await send(receiver.url)).toMatchObject({
    ...{ address: expect.stringMatching(/^127\.0\.0\.1$|^::1$/), isReused: false, outcome: "delivered" },
    phases: { dnsMs: ms, connectMs: ms, tlsMs: ms, firstByteMs: ms },
  });
  expect(await send(receiver.url)).toMatchObject({ address: "127.0.0.1", isReused: true, phases: null });
});

test("to an IP address looks no name up", async () => {
  const { port } = await receive(responding(OK));
  expect(await sending()(`https://127.0.0.1:${port}/`)).toMatchObject({
    address: "127.0.0.1",
    phases: { dnsMs: null, connectMs: ms, tlsMs: ms, firstByteMs: ms },
  });
});

test("that fails over an open connection says so, and what it waited for", async () => {
  let requests = 0;
  const receiver = await receive((socket) => {
    socket.on("data", () => requests++ === 0 && socket.write(OK));
  });
  const send = sending({ timeoutMs: 500 });
  expect((await send(receiver.url)).outcome).toBe("delivered");
  expect(await send(receiver.url)).toMatchObject({ outcome: "timeout", isReused: true, phases: NONE });
});

test("has no phase after an unfinished phase", async () => {
  const send = sending({ timeoutMs: 500 });
  const silent = await listen(net.createServer((socket) => void socket.resume()));
  expect(await send(silent.url)).toMatchObject({
    ...{ outcome: "timeout", isReused: false, phases: { ...NONE, dnsMs: ms, connectMs: ms } },
  });
  const { port, stop } = await listening(net.createServer());
  await stop();
  expect(await send(`https://127.0.0.1:${port}/`)).toMatchObject({
    ...{ outcome: "connection_refused", address: "127.0.0.1", phases: NONE },
  });
});

test("to a refused address names neither it nor a time", async () => {
  const guard = addressGuard(LOOPBACK, (_name, _options, callback) =>
    callback(null, [{ address: "10.0.0.1", family: 4 }]),
  );
  const send = sending({ guard });
  const refused = { outcome: "address_refused", address: null, isReused: false, phases: null };
  expect(await send("https://internal.example/")).toMatchObject(refused);
  expect(await send("https://10.0.0.1/")).toMatchObject(refused);
});
