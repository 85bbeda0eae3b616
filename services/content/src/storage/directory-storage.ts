// Files in a directory of this machine's, or of a volume that every replica mounts.
import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { FileMissing } from "./file-missing.ts";
import type { Storage } from "./storage.ts";

/** In: a directory, which is made when the first file comes. A file that is there is whole, and outlives a power cut. */
export function directoryStorage(root: string): Storage {
  const at = (key: string) => path.join(root, key);
  return {
    put: async (key, bytes) => {
      const folder = path.dirname(at(key));
      await mkdir(folder, { recursive: true });
      const part = `${at(key)}.${randomUUID()}.part`;
      try {
        const file = await open(part, "wx");
        await pipeline(bytes, file.createWriteStream({ flush: true }));
        await rename(part, at(key));
        await flush(folder);
      } catch (error) {
        bytes.destroy();
        await rm(part, { force: true });
        throw error;
      }
    },
    get: async (key, range) => {
      const file = await open(at(key)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === "ENOENT" ? new FileMissing(key, error) : error;
      });
      return file.createReadStream(range);
    },
    removeAll: (folder) => rm(at(folder), { recursive: true, force: true }),
  };
}

/** A name is durable once its folder is. */
async function flush(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
