// Chooses where files lie when the service starts: in the bucket that the settings name, or in their directory.
import type { Settings } from "../config.ts";
import { directoryStorage } from "./directory-storage.ts";
import type { Storage } from "./storage.ts";

export async function openStorage(settings: Settings): Promise<Storage> {
  if (settings.CONTENT_S3_BUCKET === undefined) return directoryStorage(settings.CONTENT_MEDIA_DIR);
  // Megabytes of code that a directory does without.
  const { s3Storage } = await import("./s3-storage.ts");
  return s3Storage({ ...settings, CONTENT_S3_BUCKET: settings.CONTENT_S3_BUCKET });
}
