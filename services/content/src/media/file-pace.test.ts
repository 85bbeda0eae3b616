import { Readable } from "node:stream";
import { filePace } from "./file-pace.ts";

const MB = 1024 * 1024;

test("the files of one tenant share a rate, and another tenant's are not delayed", async () => {
  let at = 10_000;
  const waits: number[] = [];
  const wait = async (ms: number) => {
    waits.push(ms);
    at += ms;
  };
  const pace = filePace({ now: () => at, wait });
  const read = async (tenantId: string, megabytes: number) => {
    const chunks = Array.from({ length: megabytes }, () => Buffer.alloc(MB));
    const file = pace(tenantId, Readable.from(chunks, { objectMode: false }));
    return (await file.toArray()).reduce((sum: number, chunk: Buffer) => sum + chunk.length, 0);
  };
  expect(await read("a", 7)).toBe(7 * MB);
  expect(waits).toEqual([]);
  expect(await read("b", 7)).toBe(7 * MB);
  expect(waits).toEqual([]);
  expect(await read("a", 33)).toBe(33 * MB);
  // 40 MB at 31 a second, of which almost 8 are a burst.
  expect(at).toBeGreaterThan(10_950);
  expect(at).toBeLessThan(11_050);
});

test("a file that nobody reads is ended", async () => {
  // The response of a bucket fails when it is destroyed early.
  const file = new Readable({
    read: () => undefined,
    destroy: (_error, done) => done(new Error("aborted")),
  });
  filePace()("a", file).destroy();
  await new Promise((resolve) => file.once("close", resolve));
  expect(file.destroyed).toBe(true);
});
