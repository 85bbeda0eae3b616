// Processes one image, from `uploaded` to `ready` or `failed`: claims it, reads the file, decodes it in a separate process,
// stores the derivatives and records the result.
import { Readable } from "node:stream";
import { isDatabaseUnavailable, type TenantDatabases } from "@tradepost/postgres";
import { type Logger, sleep, withDeadline } from "@tradepost/runtime";
import type { ProcessNext } from "../../round-robin.ts";
import type { Tables, Tenant } from "../../tables.ts";
import { fileKey, type MediaRow } from "../media-resource.ts";
import { FileNotFound, type Storage } from "../storage/storage.ts";
import {
  ATTEMPTS_MAX,
  claimNextImage,
  completeImage,
  type ImageResult,
  releaseImage,
} from "./processing-store.ts";
import type { Decode, DecodeResult, DecoderFailure } from "./start-decoders.ts";

export interface ImageProcessing {
  readonly tenants: TenantDatabases<Tables>;
  readonly storage: Storage;
  readonly decode: Decode;
  readonly onCommit: () => void;
  readonly onLeftovers: () => void;
  readonly logger: Logger;
}

// For one file, so that reading, decoding for 60 s and writing three derivatives end before the claim does, after 300 s.
const STORAGE_MS_MAX = 30_000;
const STORAGE_LATE = `the storage took longer than ${STORAGE_MS_MAX} ms`;

const RELEASE_EVERY_MS = 2_000;
const RELEASE_ATTEMPTS_MAX = 30;

const FAILURE_REASONS: Readonly<Record<DecoderFailure, string>> = {
  memory: "takes too much memory to process",
  time: "took too long to process",
  crash: "could not be processed",
};

/** An outage is not a failed attempt; the image is due again after 15 s. */
export function processImages(processing: ImageProcessing): ProcessNext {
  const { tenants, logger } = processing;
  return async (tenantId, stopping) => {
    const tenant = tenants.of(tenantId);
    const startedAt = performance.now();
    const image = await claimNextImage(tenant);
    if (image === undefined) return false;
    const { id: mediaId, processing_attempts: failedAttempts } = image;
    try {
      const result = await processImage(tenant, image, processing, stopping);
      const durationMs = Math.round(performance.now() - startedAt);
      const fields = { tenantId, mediaId, failedAttempts, durationMs };
      if ("failure" in result) {
        const { failure, stderr } = result;
        logger.warn({ ...fields, failure, stderr }, "image decoder failed; retrying");
        await releaseImage(tenant, image, "failed attempt");
        return true;
      }
      const outcome = await complete(tenant, image, result, processing);
      const failureReason = "failureReason" in result ? result.failureReason : undefined;
      logger.info({ ...fields, outcome, failureReason }, "image processed");
    } catch (error) {
      const reason = stopping.aborted ? "stop" : "outage";
      await retryRelease(() => releaseImage(tenant, image, reason), stopping);
      if (!stopping.aborted) logger.warn({ err: error, tenantId, mediaId }, "image not processed; retrying");
    }
    return true;
  };
}

async function processImage(
  { tenantId }: Tenant,
  { id, processing_attempts: failedAttempts }: MediaRow,
  { storage, decode }: ImageProcessing,
  stopping: AbortSignal,
): Promise<ImageResult | Extract<DecodeResult, { failure: DecoderFailure }>> {
  if (failedAttempts >= ATTEMPTS_MAX) return { failureReason: FAILURE_REASONS.crash };
  const file = await readOriginal(storage, fileKey(tenantId, id));
  if (file === null) return { failureReason: "the file is missing" };
  const decoded = await decode(file, stopping);
  if ("failure" in decoded) {
    const isLastAttempt = failedAttempts + 1 >= ATTEMPTS_MAX;
    return isLastAttempt ? { failureReason: FAILURE_REASONS[decoded.failure] } : decoded;
  }
  if ("failureReason" in decoded) return decoded;
  for (const { variant, bytes } of decoded.variants) {
    const stream = Readable.from([bytes], { objectMode: false });
    await withDeadline(
      storage.put(fileKey(tenantId, id, variant.name), stream),
      STORAGE_MS_MAX,
      STORAGE_LATE,
    );
  }
  return { ...decoded, variants: decoded.variants.map(({ variant }) => variant) };
}

async function complete(
  tenant: Tenant,
  image: MediaRow,
  result: ImageResult,
  { onCommit, onLeftovers }: ImageProcessing,
) {
  const outcome = await completeImage(tenant, image, result);
  if (outcome === "completed") onCommit();
  if (outcome === "deleted") onLeftovers();
  return outcome;
}

/** Retries for a minute, because an unreleased image counts as a failed attempt once its claim expires. */
async function retryRelease(release: () => Promise<void>, stopping: AbortSignal): Promise<void> {
  for (let attempt = 0; attempt < RELEASE_ATTEMPTS_MAX; attempt += 1) {
    try {
      return await release();
    } catch (error) {
      if (stopping.aborted || !isDatabaseUnavailable(error)) return;
      await sleep(RELEASE_EVERY_MS, stopping);
    }
  }
}

async function readOriginal(storage: Storage, key: string): Promise<Buffer | null> {
  try {
    return await withDeadline(readAll(storage, key), STORAGE_MS_MAX, STORAGE_LATE);
  } catch (error) {
    if (error instanceof FileNotFound) return null;
    throw error;
  }
}

async function readAll(storage: Storage, key: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await storage.get(key)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
