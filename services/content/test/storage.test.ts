// Both storages behave alike: they store whole files, read files and ranges, and delete folders.
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { readSettings } from "@tradepost/runtime";
import { mediaSettings } from "../src/config.ts";
import { openStorage } from "../src/media/media.ts";
import type { Storage } from "../src/media/storage/storage.ts";
import { startS3Server } from "./support/s3-server.ts";

describe.each(["directory", "bucket"])("a %s", (kind) => {
  let directory: string;
  let server: Awaited<ReturnType<typeof startS3Server>> | undefined;
  let storage: Storage;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), "tradepost-storage-"));
    if (kind === "bucket") server = await startS3Server(directory);
    const environment = server?.settingsAt(server.port) ?? { CONTENT_MEDIA_DIR: directory };
    storage = await openStorage(readSettings(mediaSettings, environment));
  });
  afterAll(async () => {
    await server?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const put = (key: string, bytes: Buffer) => storage.put(key, Readable.from([bytes], { objectMode: false }));
  const get = async (key: string, range?: { start: number; end: number }) =>
    await buffer(await storage.get(key, range));

  test.each([0, 10, 12 * 1024 * 1024])("stores and reads %i bytes", async (size) => {
    const bytes = Buffer.alloc(size, "0123456789");
    await put(`a/${size}/original`, bytes);
    expect((await get(`a/${size}/original`)).equals(bytes)).toBe(true);
  });

  test("reads a range", async () => {
    await put("b/1/original", Buffer.from("0123456789"));
    expect(String(await get("b/1/original", { start: 2, end: 4 }))).toBe("234");
  });

  test("reports a missing file", async () => {
    await expect(get("c/1/original")).rejects.toMatchObject({ name: "FileNotFound" });
  });

  test("stores nothing if reading the bytes fails", async () => {
    const broken = async function* () {
      yield Buffer.alloc(1000);
      throw new Error("cut");
    };
    await expect(
      storage.put("d/1/original", Readable.from(broken(), { objectMode: false })),
    ).rejects.toThrow();
    await expect(get("d/1/original")).rejects.toMatchObject({ name: "FileNotFound" });
    if (kind === "directory") expect(await readdir(path.join(directory, "d/1"))).toEqual([]);
  });

  test("stores files that other users of the machine cannot read", async () => {
    if (kind !== "directory") return;
    await put("p/1/original", Buffer.from("private"));
    const modes = ["p", "p/1", "p/1/original"].map(
      async (name) => (await stat(path.join(directory, name))).mode & 0o777,
    );
    expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o600]);
  });

  test("deletes a folder and nothing else, and a missing folder too", async () => {
    for (const key of ["e/1/original", "e/1/large.webp", "e/10/original"]) await put(key, Buffer.from(key));
    await storage.deleteFolder("e/1");
    await storage.deleteFolder("e/1");
    await expect(get("e/1/original")).rejects.toMatchObject({ name: "FileNotFound" });
    await expect(get("e/1/large.webp")).rejects.toMatchObject({ name: "FileNotFound" });
    expect(String(await get("e/10/original"))).toBe("e/10/original");
  });
});
