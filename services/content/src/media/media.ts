// The door of this wing: media assets, their files, and the derivatives of images.
import type { TenantDatabases } from "@tradepost/postgres";
import type { Logger, Metrics } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { StorageSettings } from "../config.ts";
import type { Tables } from "../tables.ts";
import { processImages } from "./image/process-image.ts";
import { startDecoders } from "./image/start-decoders.ts";
import { startImageProcessing } from "./image/start-image-processing.ts";
import { startJanitor } from "./janitor.ts";
import { openStorage } from "./storage/open-storage.ts";

export { ALL_FILES } from "./janitor.ts";
export { mediaLinkRoutes } from "./media-link-routes.ts";
export { fileKey } from "./media-resource.ts";
export { type MediaContext, mediaRoutes } from "./media-routes.ts";
export { openStorage } from "./storage/open-storage.ts";
export { FileNotFound, StorageUnavailable } from "./storage/storage.ts";

/** Opens the storage and starts the work in the background: processing images, and deleting files that belong to no asset. */
export async function startMedia(options: {
  settings: StorageSettings & { readonly CONTENT_MEDIA_PIXELS_MAX: number };
  /** The role of this connection may find the tenants whose images wait, and leftover files. */
  db: Kysely<Tables>;
  tenants: TenantDatabases<Tables>;
  amqpUrl: string;
  /** Called after each commit that wrote an outbox row. */
  onCommit: () => void;
  logger: Logger;
  metrics: Metrics;
}) {
  const { settings, db, tenants, amqpUrl, onCommit, logger, metrics } = options;
  const storage = await openStorage(settings);
  const janitor = startJanitor({ db, tenants, storage, logger });
  const decode = startDecoders({ pixelsMax: settings.CONTENT_MEDIA_PIXELS_MAX });
  const images = startImageProcessing({
    replicated: tenants.replicated,
    processNext: processImages({ tenants, storage, decode, onCommit, onLeftovers: janitor.wake, logger }),
    db,
    amqpUrl,
    logger,
    metrics,
  });
  return {
    storage,
    onLeftovers: janitor.wake,
    /** Whether it is connected to the broker. */
    isUp: images.isUp,
    stop: async () => {
      await images.stop();
      await janitor.stop();
    },
  };
}
