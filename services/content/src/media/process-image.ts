// A tenant's turn: its next image from `uploaded` to `ready` or `failed`: taken, read, decoded in a process of its own,
// stored, settled.
import { Readable } from "node:stream";
import { isDatabaseUnavailable, type TenantDatabase, type TenantDatabases } from "@tradepost/postgres";
import { type Logger, sleep } from "@tradepost/runtime";
import type { Death, Decode, Decoded } from "../image/run-decoder.ts";
import { FileMissing } from "../storage/file-missing.ts";
import type { Storage } from "../storage/storage.ts";
import type { Tables } from "../tables.ts";
import type { TakeTurn } from "../take-turns.ts";
import { fileKey } from "./media.ts";
import {
  type Outcome,
  releaseImage,
  settleImage,
  type TakenImage,
  TRIES_MAX,
  takeNextImage,
} from "./processing-store.ts";
import { withDeadline } from "./with-deadline.ts";

export interface ImageWork {
  readonly tenants: TenantDatabases<Tables>;
  readonly storage: Storage;
  readonly decode: Decode;
  /** Called after each commit that wrote an outbox row. */
  readonly onCommit: () => void;
  /** Called after each commit that left files to remove. */
  readonly onLeftovers: () => void;
  readonly logger: Logger;
}

// A file of 25 MiB or less. Four such waits and the decoder's 30 s end before the image counts as abandoned.
const STORAGE_MS_MAX = 30_000;

const RELEASE_EVERY_MS = 2_000;
const RELEASE_TRIES_MAX = 30;

const REASONS: Readonly<Record<Death, string>> = {
  memory: "takes too much memory to process",
  time: "took too long to process",
  crash: "could not be processed",
};

/** Out: the turn. A storage or a database that fails is not the image's fault: it waits, and no try is counted. */
export function processImages(work: ImageWork): TakeTurn {
  const { tenants, logger } = work;
  return async (tenantId, stopping) => {
    const tenant = tenants.of(tenantId);
    const startedAt = performance.now();
    const image = await takeNextImage(tenant);
    if (image === null) return false;
    const mediaId = image.media.id;
    try {
      const outcome = await outcomeOf(work, tenantId, image, stopping);
      const durationMs = Math.round(performance.now() - startedAt);
      const told = { tenantId, mediaId, triesFailed: image.triesFailed, durationMs };
      if ("death" in outcome) {
        const { death, said } = outcome;
        logger.warn({ ...told, death, said }, "image ended its decoder; trying again");
        await releaseImage(tenant, mediaId, { reason: "failed try", triesFailed: image.triesFailed + 1 });
        return true;
      }
      const settled = await settle(work, tenant, mediaId, outcome);
      const failureReason = "failureReason" in outcome ? outcome.failureReason : undefined;
      logger.info({ ...told, settled, failureReason }, "image processed");
    } catch (error) {
      const reason = stopping.aborted ? "stop" : "outage";
      await release(() => releaseImage(tenant, mediaId, { reason }), stopping);
      if (!stopping.aborted)
        logger.warn({ err: error, tenantId, mediaId }, "image not processed; trying again");
    }
    return true;
  };
}

async function outcomeOf(
  { storage, decode }: ImageWork,
  tenantId: string,
  { media, triesFailed }: TakenImage,
  stopping: AbortSignal,
): Promise<Outcome | Extract<Decoded, { death: Death }>> {
  // Whoever had it in hand died, every time.
  if (triesFailed >= TRIES_MAX) return { failureReason: REASONS.crash };
  const file = await readOriginal(storage, fileKey(tenantId, media.id));
  if (file === null) return { failureReason: "the file is missing" };
  const decoded = await decode(file, stopping);
  if ("death" in decoded)
    return triesFailed + 1 >= TRIES_MAX ? { failureReason: REASONS[decoded.death] } : decoded;
  if ("failureReason" in decoded) return decoded;
  for (const { variant, bytes } of decoded.variants) {
    const stream = Readable.from([bytes], { objectMode: false });
    await withDeadline(storage.put(fileKey(tenantId, media.id, variant.name), stream), STORAGE_MS_MAX);
  }
  return { ...decoded, variants: decoded.variants.map(({ variant }) => variant) };
}

async function settle(
  { onCommit, onLeftovers }: ImageWork,
  tenant: TenantDatabase<Tables>,
  mediaId: string,
  outcome: Outcome,
) {
  const settled = await settleImage(tenant, mediaId, outcome);
  if (settled === "settled") onCommit();
  if (settled === "gone") onLeftovers();
  return settled;
}

/**
 * While the database is away there is nothing better to do than to wait for it: an image that is not released counts as
 * one whose worker died. Where it stays away, that is what happens.
 */
async function release(put: () => Promise<void>, stopping: AbortSignal): Promise<void> {
  for (let tries = 0; tries < RELEASE_TRIES_MAX; tries += 1) {
    try {
      return await put();
    } catch (error) {
      if (stopping.aborted || !isDatabaseUnavailable(error)) return;
      await sleep(RELEASE_EVERY_MS, stopping);
    }
  }
}

/** At most 25 MiB. Null where there is none, which no waiting mends. */
async function readOriginal(storage: Storage, key: string): Promise<Buffer | null> {
  try {
    return await withDeadline(readAll(storage, key), STORAGE_MS_MAX);
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
}

async function readAll(storage: Storage, key: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await storage.get(key)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
