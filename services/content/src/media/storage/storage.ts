import type { Readable } from "node:stream";

/** Methods of an opened storage reject with `StorageUnavailable` if the storage fails. */
export interface Storage {
  /** Stores the whole file or nothing. Rejects if reading the bytes fails. */
  put(key: string, bytes: Readable): Promise<void>;
  get(key: string, range?: ByteRange): Promise<Readable>;
  deleteFolder(folder: string): Promise<void>;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export class FileNotFound extends Error {
  override readonly name = "FileNotFound";

  constructor(key: string, cause: unknown) {
    super(`no file is stored as ${key}`, { cause });
  }
}

export class StorageUnavailable extends Error {
  override readonly name = "StorageUnavailable";

  constructor(cause: unknown) {
    super("the storage of files is not available", { cause });
  }
}
