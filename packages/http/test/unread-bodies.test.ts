// A request is refused before its body has arrived, and the client may still send the body. The connection stays usable, or ends
// without an error that would make the client drop the response. An endless body is not read to its end.
import { sleep } from "@tradepost/runtime";
import { asChunk, head, NOTE_ID, open, sendBytes, useNotesService } from "./support/notes-service.ts";

const MIB = 1024 * 1024;
const TINY_CHUNK = "1\r\n \r\n";
const POST = "POST /v1/notes";
const GET = head(`GET /v1/notes/${NOTE_ID}`);

const service = await useNotesService();

const unknown = (request: string) => request.replace("X-Caller: {}", "X-Caller:");
const withLength = (bytes: number) => head(POST, `Content-Length: ${bytes}`) + " ".repeat(bytes);
const inChunks = (bytes: number) => head(POST, "Transfer-Encoding: chunked") + asChunk(" ".repeat(bytes));

test.each([
  ["413 with its length", withLength(3 * MIB), 413],
  ["413 in chunks", inChunks(3 * MIB), 413],
  ["401 with its length", unknown(withLength(3 * MIB)), 401],
  ["401 in chunks", unknown(inChunks(3 * MIB)), 401],
])("a connection is usable for the next request after %s", async (_what, request, status) => {
  const { socket, statuses, until } = open(service);
  socket.write(request + GET);
  await until(() => statuses().length === 2);
  expect(statuses()).toEqual([status, 200]);
  socket.destroy();
});

describe("a connection that closes after a refusal", () => {
  /** Sends the headers of an unknown caller, then `start` of the body. */
  const refusedAfter = async (lines: string[], start = "") => {
    const client = open(service, { allowHalfOpen: true });
    client.socket.write(unknown(head(POST, ...lines)) + start);
    await client.until(() => client.state.hasEnded);
    expect(client.state.received).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
    return client;
  };
  const send = async ({ socket }: ReturnType<typeof open>, part: string, count: number) => {
    for (let sent = 0; sent < count && !socket.destroyed; sent += 1) {
      await new Promise((resolve) => socket.write(part, resolve));
      // A reset arrives between two writes.
      await sleep(1);
    }
  };

  test("reads the rest of the body first", async () => {
    const client = await refusedAfter(["Connection: close", `Content-Length: ${2 * MIB}`]);
    await send(client, "x".repeat(MIB / 8), 16);
    client.socket.end();
    await client.closed;
    expect(client.state.errors).toEqual([]);
  });

  test("reads on if the rest arrives in tiny chunks", async () => {
    const client = await refusedAfter(["Transfer-Encoding: chunked"], TINY_CHUNK.repeat(20_000));
    await send(client, TINY_CHUNK.repeat(10_000), 16);
    client.socket.end();
    await client.closed;
    expect(client.state.errors).toEqual([]);
  });

  test("is closed when the client closes", async () => {
    const client = await refusedAfter(["Connection: close", "Content-Length: 1000"]);
    client.socket.end("only a part");
    await client.closed;
    expect(client.state.errors).toEqual([]);
  });
});

test("an endless body is refused once, and not read completely", async () => {
  const refuse = async (length: number, headOf: typeof head, status: number) => {
    const { socket, statuses, closed } = open(service);
    socket.write(headOf(POST, `Content-Length: ${length}`));
    const part = Buffer.alloc(256 * 1024, "x");
    let sentBytes = 0;
    const send = () => {
      while (!socket.destroyed && sentBytes < length) {
        sentBytes += part.length;
        if (!socket.write(part)) return;
      }
    };
    socket.on("drain", send);
    send();
    await closed;
    expect(statuses()).toEqual([status]);
    // The 32 MiB that the server reads, and what the kernel buffers at both ends.
    expect(sentBytes).toBeLessThan(64 * MIB);
  };
  await Promise.all([
    refuse(100 * MIB, head, 413),
    refuse(100 * MIB, (...lines) => unknown(head(...lines)), 401),
    refuse(10 ** 12, head, 413),
  ]);
  expect((await service.send("GET", `/v1/notes/${NOTE_ID}`)).status).toBe(200);
});

test("a body that the client cuts short reaches no handler, and the next request is served", async () => {
  const { socket, closed } = open(service);
  socket.write(`${head(POST, "Content-Length: 1000")}{"title":"a"}`, () => socket.destroy());
  await closed;
  expect(await sendBytes(service, head(`GET /v1/notes/${NOTE_ID}`, "Connection: close"))).toMatch(
    /^HTTP\/1.1 200/,
  );
  expect(service.handled.map(({ raw }) => raw.method)).toEqual(["GET"]);
});
