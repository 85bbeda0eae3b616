// One image from `uploaded` to `ready` or `failed`: taken, read, made smaller, stored, settled. Asked for by the queue
// and by the sweep, as often as they like.
import { Readable } from "node:stream";
import type { TenantDatabases } from "@tradepost/postgres";
import type { Logger } from "@tradepost/runtime";
import { FileMissing } from "../storage/file-missing.ts";
import type { Storage } from "../storage/storage.ts";
import type { Tables } from "../tables.ts";
import { makeVariants } from "./make-variants.ts";
import { fileKey, type Media } from "./media.ts";
import { type Outcome, releaseImage, settleImage, takeImage } from "./processing-store.ts";

export interface ImageWork {
  readonly tenants: TenantDatabases<Tables>;
  readonly storage: Storage;
  readonly pixelsMax: number;
  /** Called after each commit that wrote an outbox row. */
  readonly onCommit: () => void;
  /** Called after each commit that left files to remove. */
  readonly onLeftovers: () => void;
  readonly logger: Logger;
}

export type ProcessImage = (tenantId: string, mediaId: string) => Promise<void>;

/** Out: the function that does it. It rejects where storage or database fail, and the image is then free again. */
export function processImages(work: ImageWork): ProcessImage {
  return async (tenantId, mediaId) => {
    const tenant = work.tenants.of(tenantId);
    const startedAt = performance.now();
    const media = await takeImage(tenant, mediaId);
    if (media === null) return;
    try {
      const outcome = await outcomeOf(work, tenantId, media);
      const settled = await settleImage(tenant, mediaId, outcome);
      if (settled === "settled") work.onCommit();
      if (settled === "gone") work.onLeftovers();
      const failureReason = "failureReason" in outcome ? outcome.failureReason : undefined;
      const durationMs = Math.round(performance.now() - startedAt);
      work.logger.info({ tenantId, mediaId, settled, failureReason, durationMs }, "image processed");
    } catch (error) {
      // Where this fails as well, the sweep finds it once its time in hand is over.
      await releaseImage(tenant, mediaId).catch(() => undefined);
      throw error;
    }
  };
}

async function outcomeOf(
  { storage, pixelsMax }: ImageWork,
  tenantId: string,
  media: Media,
): Promise<Outcome> {
  const file = await readOriginal(storage, fileKey(tenantId, media.id));
  if (file === null) return { failureReason: "the file is missing" };
  const made = await makeVariants(file, pixelsMax);
  if ("failureReason" in made) return made;
  for (const { variant, bytes } of made.variants) {
    await storage.put(
      fileKey(tenantId, media.id, variant.name),
      Readable.from([bytes], { objectMode: false }),
    );
  }
  return { ...made, variants: made.variants.map(({ variant }) => variant) };
}

/** At most 25 MiB. Null where there is none, which no waiting mends. */
async function readOriginal(storage: Storage, key: string): Promise<Buffer | null> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of await storage.get(key)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof FileMissing) return null;
    throw error;
  }
}
