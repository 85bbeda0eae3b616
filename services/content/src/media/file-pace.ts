// Limits how fast the files of a tenant leave this process, which has one thread for all tenants. The gateway could not,
// because the buffers of its connection to this process hold megabytes of each file.
import { Readable } from "node:stream";
import { discard } from "@tradepost/http";
import { sleep } from "@tradepost/runtime";

/** All files of a tenant share one rate, with and without a key. */
export type PaceFile = (tenantId: string, file: Readable) => Readable;

// Copying 240 MB/s takes most of the process's thread.
const FILE_BYTES_PER_MS = 32 * 1024;
// A tenant's files are not delayed until they have used this up.
const FILE_BURST_MS = 250;

export function filePace({ now, wait } = { now: () => performance.now(), wait: sleep }): PaceFile {
  /** The time at which the bytes sent so far would have left at the rate, by tenant. */
  const paidUntil = new Map<string, number>();

  async function* paced(tenantId: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of chunks) {
        const at = now();
        const from = Math.max(paidUntil.get(tenantId) ?? 0, at - FILE_BURST_MS);
        paidUntil.set(tenantId, from + chunk.length / FILE_BYTES_PER_MS);
        if (from > at) await wait(from - at);
        yield chunk;
      }
    } finally {
      if ((paidUntil.get(tenantId) ?? 0) < now() - FILE_BURST_MS) paidUntil.delete(tenantId);
    }
  }

  return (tenantId, file) => {
    const slower = Readable.from(paced(tenantId, file), { objectMode: false });
    // After a HEAD the generator has not begun and does not end the file's stream.
    slower.once("close", () => discard(file));
    return slower;
  };
}
