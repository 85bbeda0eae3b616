// Where files lie: one small interface, which a directory and an S3 bucket keep alike; `open-storage` chooses.
import type { Readable } from "node:stream";

export interface Storage {
  /** The whole file or nothing: it stands under its key once this resolves. Rejects where the bytes fail. */
  put(key: string, bytes: Readable): Promise<void>;
  /** From `start` to `end`, both inclusive; all of it unless given. Rejects with FileMissing where there is none. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** Everything under a folder; nothing there is as good. */
  removeAll(folder: string): Promise<void>;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}
