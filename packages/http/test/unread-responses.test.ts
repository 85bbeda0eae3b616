// Clients that send requests and do not read the responses: a connection has at most 16 requests without a response, and the
// unread responses of all connections are bounded (interface §1).

import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { sleep } from "@tradepost/runtime";
import { head, type NotesService, open, startNotesService } from "./support/notes-service.ts";

const MIB = 1024 * 1024;
const TENANT = "01900000-0000-7000-8000-00000000000a";
const SMALL = head("GET /v1/notes");
const SLOTS = 8;
const withSlot = (bytes: number) =>
  head(`GET /v1/notes?limit=${bytes}`).replace("{}", JSON.stringify({ tenantId: TENANT }));
// The first response fills the buffers of the kernel.
const WITH_SLOTS = withSlot(8 * MIB) + withSlot(10).repeat(SLOTS - 1);
const UNREAD_MAX = 64;

let service: NotesService;
beforeAll(async () => {
  service = await startNotesService({ responsesMax: UNREAD_MAX, bytesMax: 2 ** 40 });
});
beforeEach(() => {
  service.handled.length = 0;
});
afterAll(() => service.stop());

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

test("a connection that ends frees the slots of the responses that wait behind the first", async () => {
  const first = sendUnread(WITH_SLOTS);
  while (service.handled.length < SLOTS) await sleep(5);
  first.socket.destroy();
  const second = sendUnread(WITH_SLOTS);
  while (service.handled.length < 2 * SLOTS) await sleep(5);
  second.socket.destroy();
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
