// A body that arrives too slowly is refused, and the connection is closed. `read-bytes.test.ts` tests the real limits; this file
// uses a path with tighter ones.
import { asChunk, bodyOf, head, open, sendBytes, useNotesService } from "./support/notes-service.ts";

const POST = "POST /impatient";

const service = await useNotesService();

test.each([
  ["nothing after the headers", head(POST, "Content-Length: 1000")],
  ["a part of its length", `${head(POST, "Content-Length: 1000")}${" ".repeat(999)}`],
  ["a chunk, but not the last one", `${head(POST, "Transfer-Encoding: chunked")}1\r\n \r\n`],
])("%s is too slow", async (_what, bytes) => {
  const received = await sendBytes(service, bytes);
  expect(received).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(received).toMatch(/\r\nconnection: close\r\n/i);
  expect(bodyOf(received)).toEqual({
    success: false,
    error: {
      ...{ code: "bad_request", message: "The body took too long to arrive." },
      requestId: expect.any(String),
    },
  });
});

test.each([
  ["with its length", `${head(POST, "Content-Length: 1000")}${" ".repeat(1_000)}`],
  ["in chunks", head(POST, "Transfer-Encoding: chunked") + asChunk(" ".repeat(1_000))],
])("a complete body is not, %s", async (_how, bytes) => {
  const { socket, state, until } = open(service);
  socket.write(bytes);
  await until(() => state.received.includes('"bytes":1000'));
  socket.destroy();
});
