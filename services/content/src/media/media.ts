// The door of this wing: media assets, their files, and the derivatives of images.
import type { TenantDatabases } from "@tradepost/postgres";
import type { Logger, Metrics } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { MediaSettings } from "../config.ts";
import type { Tables } from "../tables.ts";
import { filePace } from "./file-pace.ts";
import { processImages } from "./image/process-image.ts";
import { startDecoders } from "./image/start-decoders.ts";
import { startImageProcessing } from "./image/start-image-processing.ts";
import { startJanitor } from "./janitor.ts";
import { directoryStorage } from "./storage/directory-storage.ts";
import { FileNotFound, type Storage, StorageUnavailable } from "./storage/storage.ts";

export { ALL_FILES } from "./janitor.ts";
export { mediaLinkRoutes } from "./media-link-routes.ts";
export { fileKey } from "./media-resource.ts";
export { type MediaContext, mediaRoutes } from "./media-routes.ts";
export { FileNotFound, StorageUnavailable } from "./storage/storage.ts";

/** Starts the work in the background: processing images, and deleting files that belong to no asset. */
export async function startMedia(options: {
  settings: MediaSettings;
  db: Kysely<Tables>;
  tenants: TenantDatabases<Tables>;
  amqpUrl: string;
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
    paceFile: filePace(),
    onLeftovers: janitor.wake,
    isUp: images.isUp,
    stop: async () => {
      await images.stop();
      await janitor.stop();
    },
  };
}

/** The bucket if one is set, otherwise the directory. */
export async function openStorage(settings: MediaSettings): Promise<Storage> {
  const storage = await open(settings);
  return {
    put: (...args) => storage.put(...args).catch(rethrow),
    get: (...args) => storage.get(...args).catch(rethrow),
    deleteFolder: (...args) => storage.deleteFolder(...args).catch(rethrow),
  };
}

async function open(settings: MediaSettings): Promise<Storage> {
  if (settings.CONTENT_S3_BUCKET === undefined) return directoryStorage(settings.CONTENT_MEDIA_DIR);
  // Loads megabytes of code, which a directory does not need.
  const { s3Storage } = await import("./storage/s3-storage.ts");
  return s3Storage({ ...settings, CONTENT_S3_BUCKET: settings.CONTENT_S3_BUCKET });
}

function rethrow(error: unknown): never {
  throw error instanceof FileNotFound ? error : new StorageUnavailable(error);
}
