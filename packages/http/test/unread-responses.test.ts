// Clients that send requests and do not read the responses: a connection has at most 16 requests without a response, and the
// unread responses of all connections are bounded (interface §1).
import { promisify } from "node:util";
import { head, open, useNotesService } from "./support/notes-service.ts";

const SMALL = head("GET /v1/notes");
const UNREAD_MAX = 64;

const service = await useNotesService({ responsesMax: UNREAD_MAX, bytesMax: 2 ** 40 });

/** Sends requests on a new connection that reads nothing. */
const sendUnread = (requests: string) => {
  const client = open(service);
  client.socket.pause();
  client.socket.write(requests);
  return client;
};

test("16 requests that are sent at once are all answered", async () => {
  const { socket, statuses, until } = open(service);
  socket.write(SMALL.repeat(16));
  await until(() => statuses().length === 16);
  socket.write(SMALL.repeat(16));
  await until(() => statuses().length === 32);
  expect(new Set(statuses())).toEqual(new Set([200]));
  socket.destroy();
});

test.each([
  ["with a credential", SMALL],
  ["without one", SMALL.replace("{}", "")],
  ["of a probe", head("GET /readyz")],
  ["that expect something", head("GET /v1/notes", "Expect: more")],
])("1,600 requests %s end their connection, and at most 16 are handled", async (_what, request) => {
  const clients = Array.from({ length: 4 }, () => open(service));
  for (const { socket } of clients) socket.write(request.repeat(1_600));
  await Promise.all(clients.map(({ closed }) => closed));
  expect(service.handled.length).toBeLessThanOrEqual(4 * 16);
  expect((await service.send("GET", "/v1/notes")).status).toBe(200);
});

test("the connections that have waited for the longest end when too many responses are unread", async () => {
  const connectionCount = promisify(service.server.getConnections.bind(service.server));
  await service.send("GET", "/v1/notes");
  const countBefore = await connectionCount();
  const clients = Array.from({ length: 12 }, () =>
    sendUnread("GET /large HTTP/1.1\r\nHost: x\r\n\r\n".repeat(16)),
  );
  for (let count = 0; count < 256; count += 1)
    expect((await service.send("GET", "/v1/notes")).status).toBe(200);
  // The client of `send` may have opened connections.
  expect((await connectionCount()) - countBefore).toBeLessThan(2 * (UNREAD_MAX / 16));
  for (const { socket } of clients) socket.destroy();
});
