// A receiver may send any number of interim responses (1xx) before its response, and the network may cut the bytes anywhere.
import type { TLSSocket } from "node:tls";
import { sleep } from "@tradepost/runtime";
import { responding, useSending } from "./support/sending.ts";

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const HINTS = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\nx-100: HTTP/1.1 100 \r\n\r\n";
const BODY = "HTTP/1.1 100 Continue, says the body";
const OK = `HTTP/1.1 202 Accepted\r\nx-100: HTTP/1.1 100 \r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;
const WHOLE = `${CONTINUE}${HINTS}HTTP/1.1 100\r\n\r\n${CONTINUE}HTTP/1.1 102 Processing\r\n\r\n${CONTINUE}${OK}`;

const { sending, receive } = useSending();
const start = async (behave: (socket: TLSSocket) => void) => {
  const receiver = await receive(behave);
  const send = sending({ timeoutMs: 3_000 });
  return { receiver, send: () => send(receiver.url) };
};

test("skips interim responses that are cut at any position, over one connection", async () => {
  let position = 0;
  const { receiver, send } = await start((socket) => {
    socket.setNoDelay(true).on("data", async () => {
      socket.write(WHOLE.slice(0, position));
      await sleep(2);
      socket.write(WHOLE.slice(position));
    });
  });
  for (position = 1; position < WHOLE.length; position += 1)
    expect(await send()).toMatchObject({ outcome: "delivered", statusCode: 202, responseBody: BODY });
  expect(receiver.connectionCount()).toBe(1);
});

test("skips a thousand interim responses", async () => {
  const { send } = await start(responding(CONTINUE.repeat(1_000) + HINTS.repeat(1_000) + OK));
  expect(await send()).toMatchObject({ outcome: "delivered", statusCode: 202, responseBody: BODY });
});

test("reads 128 KiB for each response, also over a connection that is used again", async () => {
  const bytesMax = 128 * 1024;
  const head = (bytes: number) => `HTTP/1.1 200 OK\r\ncontent-length: ${bytes}\r\n\r\n`;
  const fitting = bytesMax - head(100_000).length;
  let interim = "";
  const { receiver, send } = await start((socket) => {
    socket.on("data", () => socket.write(interim + head(fitting) + "x".repeat(fitting)));
  });
  for (const _ of [1, 2, 3]) expect((await send()).outcome).toBe("delivered");
  expect(receiver.connectionCount()).toBe(1);
  // The response counts by its status as soon as its head is complete, however much of it is not read.
  interim = CONTINUE;
  expect(await send()).toMatchObject({ outcome: "delivered", responseBody: "x".repeat(2_048) });
  await receiver.untilDisconnected();
});

test("is invalid if 128 KiB of interim responses come before the response", async () => {
  const { receiver, send } = await start(responding(CONTINUE.repeat(6_000) + OK));
  expect(await send()).toMatchObject({ outcome: "response_invalid", statusCode: null });
  await receiver.untilDisconnected();
});
