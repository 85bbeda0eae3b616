// Files in a directory, or on a volume that every replica mounts.
import { randomUUID } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { FileNotFound, type Storage } from "./storage.ts";

// Other users of the machine cannot read tenants' files.
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export function directoryStorage(root: string): Storage {
  const pathOf = (key: string) => path.join(root, key);
  return {
    put: async (key, bytes) => {
      const folder = path.dirname(pathOf(key));
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
      const part = `${pathOf(key)}.${randomUUID()}.part`;
      try {
        const file = await open(part, "wx", FILE_MODE);
        await pipeline(bytes, file.createWriteStream({ flush: true }));
        await rename(part, pathOf(key));
        await syncFolder(folder);
      } catch (error) {
        bytes.destroy();
        await rm(part, { force: true });
        throw error;
      }
    },
    get: async (key, range) => {
      const file = await open(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === "ENOENT" ? new FileNotFound(key, error) : error;
      });
      return file.createReadStream(range);
    },
    deleteFolder: (folder) => rm(pathOf(folder), { recursive: true, force: true }),
  };
}

/** A file's name survives a power failure only if its folder is synced too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
