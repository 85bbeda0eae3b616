// Limits how fast the files of a tenant leave this process, which has one thread for the requests of all tenants. It is here and
// not in the gateway, because the buffers of their connection hold megabytes of each file.
import { Readable } from "node:stream";
import { discard } from "@tradepost/http";
import { sleep } from "@tradepost/runtime";

/** Returns a stream of the same bytes. All files of a tenant share one rate, with and without a key. */
export type PaceFile = (tenantId: string, file: Readable) => Readable;

// Copying 240 MB a second takes most of the process's only thread.
const FILE_BYTES_PER_MS = 32 * 1024;
// A file up to this size is not delayed if the tenant's others have left it room.
const FILE_BURST_MS = 250;

export function filePace({ now, wait } = { now: () => performance.now(), wait: sleep }): PaceFile {
  /** The time at which the bytes that have left would have left at the rate. */
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
    // If nothing was read, as after a HEAD, the generator has not begun and does not end the file's stream.
    slower.once("close", () => discard(file));
    return slower;
  };
}
