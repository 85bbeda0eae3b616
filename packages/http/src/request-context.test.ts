import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { endOfWait, requestIdOf } from "./request-context.ts";

const idOf = (header?: string) =>
  requestIdOf({ headers: { "x-request-id": header } } as never as IncomingMessage);

test.each(["mine-1._A", "x".repeat(128)])("the caller's id %s is kept", (given) => {
  expect(idOf(given)).toBe(given);
});

test.each([undefined, "", "two words", "x".repeat(129), "a/b"])("a new id replaces %j", (given) => {
  expect(idOf(given)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
});

// Longer than a test may take: if nothing else ends the wait, the test times out.
const WAIT_MS = 60 * 60_000;

test("a wait ends when its client closes the connection, and when the service stops", async () => {
  const socket = new Socket();
  const stopping = new AbortController();
  const ofClient = endOfWait(WAIT_MS, socket, new AbortController().signal);
  const ofService = endOfWait(WAIT_MS, new Socket(), stopping.signal);
  expect([ofClient.isReached(), ofService.isReached()]).toEqual([false, false]);
  socket.destroy();
  await ofClient.reached;
  stopping.abort();
  await ofService.reached;
  expect([ofClient.isReached(), ofService.isReached()]).toEqual([true, true]);
  for (const gone of [endOfWait(WAIT_MS, socket, new AbortController().signal), ofClient, ofService]) {
    expect(gone.isReached()).toBe(true);
    gone.release();
  }
});
