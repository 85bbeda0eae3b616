// The interface of a storage for files. A directory and an S3 bucket implement it; `open-storage.ts` chooses.
import type { Readable } from "node:stream";

/** The methods of a storage that `openStorage` returned reject with `StorageUnavailable` if it fails. */
export interface Storage {
  /** Stores the whole file or nothing. Rejects if reading the bytes fails. */
  put(key: string, bytes: Readable): Promise<void>;
  /** Reads the file, or the range from `start` to `end` inclusive. Rejects with `FileNotFound`. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** Deletes every file in the folder. Does nothing if it has none. */
  deleteFolder(folder: string): Promise<void>;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The storage has no file with the key. */
export class FileNotFound extends Error {
  override readonly name = "FileNotFound";

  constructor(key: string, cause: unknown) {
    super(`no file is stored as ${key}`, { cause });
  }
}

/** The storage cannot store or read: its disk is full, or the bucket does not respond or refuses. */
export class StorageUnavailable extends Error {
  override readonly name = "StorageUnavailable";

  constructor(cause: unknown) {
    super("the storage of files is not available", { cause });
  }
}
