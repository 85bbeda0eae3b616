import type { IncomingMessage } from "node:http";
import { expect, test } from "@jest/globals";
import { requestIdOf } from "./request-id.ts";

const idOf = (header?: string) =>
  requestIdOf({ headers: { "x-request-id": header } } as never as IncomingMessage);

test.each(["mine-1._A", "x".repeat(128)])("the caller's id %s is kept", (given) => {
  expect(idOf(given)).toBe(given);
});

test.each([undefined, "", "two words", "x".repeat(129), "a/b"])("a new id replaces %j", (given) => {
  expect(idOf(given)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
});
