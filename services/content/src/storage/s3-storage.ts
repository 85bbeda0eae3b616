// Files in an S3 bucket, or in anything that speaks its language.
import type { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { Settings } from "../config.ts";
import { FileMissing } from "./file-missing.ts";
import type { Storage } from "./storage.ts";

// The least that S3 takes; one part at a time is what an upload holds in memory.
const PART_BYTES = 5 * 1024 * 1024;
const PARTS_AT_ONCE = 1;

/** Without a key of its own it asks the environment, as every S3 client does. */
export function s3Storage(settings: Settings & { CONTENT_S3_BUCKET: string }): Storage {
  const client = openClient(settings);
  const bucket = { Bucket: settings.CONTENT_S3_BUCKET };
  return {
    put: async (key, bytes) => {
      const params = { ...bucket, Key: key, Body: bytes };
      const upload = new Upload({ client, params, partSize: PART_BYTES, queueSize: PARTS_AT_ONCE });
      try {
        await upload.done();
      } catch (error) {
        bytes.destroy();
        throw error;
      }
    },
    get: async (key, range) => {
      const part = range && { Range: `bytes=${range.start}-${range.end}` };
      try {
        const { Body } = await client.send(new GetObjectCommand({ ...bucket, Key: key, ...part }));
        // In Node it is always a Readable.
        return Body as Readable;
      } catch (error) {
        throw error instanceof NoSuchKey ? new FileMissing(key, error) : error;
      }
    },
    removeAll: async (folder) => {
      // One page is a thousand: far more than an asset has.
      const { Contents = [] } = await client.send(
        new ListObjectsV2Command({ ...bucket, Prefix: `${folder}/` }),
      );
      for (const { Key } of Contents) {
        if (Key !== undefined) await client.send(new DeleteObjectCommand({ ...bucket, Key }));
      }
    },
  };
}

function openClient(settings: Settings): S3Client {
  const { CONTENT_S3_ENDPOINT: endpoint, CONTENT_S3_ACCESS_KEY_ID: accessKeyId } = settings;
  return new S3Client({
    region: settings.CONTENT_S3_REGION,
    forcePathStyle: settings.CONTENT_S3_FORCE_PATH_STYLE === "true",
    // Others that speak S3 do not know the newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...(endpoint !== undefined && { endpoint }),
    ...(accessKeyId !== undefined && {
      credentials: { accessKeyId, secretAccessKey: settings.CONTENT_S3_SECRET_ACCESS_KEY ?? "" },
    }),
  });
}
