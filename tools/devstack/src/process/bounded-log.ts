// Keeps the log file of a running program short. The program keeps the file open and appends to it, so the file cannot be replaced:
// it is copied to `<file>.1` and emptied. Lines that are written between the two are lost.
import { copyFile, stat, truncate } from "node:fs/promises";

export interface LogLimit {
  /** A file of this size is copied and emptied. Together with the copy it takes about twice this. */
  readonly bytesMax: number;
  readonly checkEveryMs: number;
}

// The limit of `npm start`: about 35,000 webhooks in the log that grows fastest.
export const LOG_LIMIT: LogLimit = { bytesMax: 32 * 1024 * 1024, checkEveryMs: 5_000 };

/** Returns a function that ends this. */
export function keepLogShort(logFile: string, { bytesMax, checkEveryMs }: LogLimit): () => void {
  let isChecking = false;
  const check = async () => {
    if (isChecking) return;
    isChecking = true;
    await shorten(logFile, bytesMax).finally(() => {
      isChecking = false;
    });
  };
  const timer = setInterval(() => void check(), checkEveryMs).unref();
  void check();
  return () => clearInterval(timer);
}

async function shorten(logFile: string, bytesMax: number): Promise<void> {
  try {
    if ((await stat(logFile)).size < bytesMax) return;
    await copyFile(logFile, `${logFile}.1`);
    await truncate(logFile);
  } catch {
    // Somebody deleted the file, or the disk is full. The next check tries again.
  }
}
