// Opens the storage that the settings choose: the bucket if one is set, otherwise the directory.
import type { StorageSettings } from "../../config.ts";
import { directoryStorage } from "./directory-storage.ts";
import { FileNotFound, type Storage, StorageUnavailable } from "./storage.ts";

export async function openStorage(settings: StorageSettings): Promise<Storage> {
  const storage = await open(settings);
  return {
    put: (...args) => storage.put(...args).catch(rethrow),
    get: (...args) => storage.get(...args).catch(rethrow),
    deleteFolder: (...args) => storage.deleteFolder(...args).catch(rethrow),
  };
}

async function open(settings: StorageSettings): Promise<Storage> {
  if (settings.CONTENT_S3_BUCKET === undefined) return directoryStorage(settings.CONTENT_MEDIA_DIR);
  // Loads megabytes of code that a directory does not need.
  const { s3Storage } = await import("./s3-storage.ts");
  return s3Storage({ ...settings, CONTENT_S3_BUCKET: settings.CONTENT_S3_BUCKET });
}

function rethrow(error: unknown): never {
  throw error instanceof FileNotFound ? error : new StorageUnavailable(error);
}
