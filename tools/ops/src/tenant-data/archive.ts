// A file of JSON lines that is either complete or does not exist.

import { randomUUID } from "node:crypto";
import { link, open, rm } from "node:fs/promises";

export interface Archive {
  write(line: string): Promise<void>;
  /** Makes the file visible under its name. */
  complete(): Promise<void>;
  /** Deletes the written part, unless the file is complete. */
  discard(): Promise<void>;
}

const BUFFER_CHARACTERS_MAX = 256 * 1024;

/**
 * Writes to a file next to `file`, readable by the current user only, and gives it the final name when it is complete. Throws an
 * Error, with a message for the operator, if `file` exists.
 */
export async function openArchive(file: string): Promise<Archive> {
  const part = `${file}.${randomUUID()}.part`;
  await refuseExisting(file);
  const handle = await open(part, "wx", 0o600);
  let buffered: string[] = [];
  let length = 0;
  const flush = async () => {
    await handle.writeFile(buffered.join(""));
    [buffered, length] = [[], 0];
  };
  return {
    write: async (line) => {
      buffered.push(line, "\n");
      length += line.length;
      if (length >= BUFFER_CHARACTERS_MAX) await flush();
    },
    complete: async () => {
      await flush();
      await handle.sync();
      // Unlike a rename, a link does not replace a file that was created meanwhile.
      await link(part, file).catch((error: NodeJS.ErrnoException) => {
        throw error.code === "EEXIST" ? exists(file) : error;
      });
    },
    discard: async () => {
      await handle.close();
      await rm(part, { force: true });
    },
  };
}

async function refuseExisting(file: string): Promise<void> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (handle === null) return;
  await handle.close();
  throw exists(file);
}

function exists(file: string): Error {
  return new Error(`${file} exists already; an export overwrites no file.`);
}
