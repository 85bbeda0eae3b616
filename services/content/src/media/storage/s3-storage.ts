// Files in a bucket of S3 or of a service with its API.
import type { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { MediaSettings } from "../../config.ts";
import { FileNotFound, type Storage } from "./storage.ts";

// The smallest that S3 accepts. An upload holds one in memory.
const PART_BYTES = 5 * 1024 * 1024;
const PARTS_AT_ONCE = 1;
// More than the gateway's simultaneous requests for files; a slow reader keeps a socket.
const SOCKETS_MAX = 1_024;
const CONNECT_MS_MAX = 5_000;
// Until the head of the response. Three attempts take less than the gateway waits.
const REQUEST_MS_MAX = 8_000;

/** Without an access key in the settings, the client reads it from the environment. */
export function s3Storage(
  settings: MediaSettings & { CONTENT_S3_BUCKET: string },
  requestMsMax = REQUEST_MS_MAX,
): Storage {
  const client = openClient(settings, requestMsMax);
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
        // In Node, Body is always a Readable.
        return Body as Readable;
      } catch (error) {
        throw error instanceof NoSuchKey ? new FileNotFound(key, error) : error;
      }
    },
    deleteFolder: async (folder) => {
      for (;;) {
        // Lists up to 1,000 files; deleted ones are not listed again.
        const { Contents = [], IsTruncated } = await client.send(
          new ListObjectsV2Command({ ...bucket, Prefix: `${folder}/` }),
        );
        for (const { Key } of Contents) {
          if (Key !== undefined) await client.send(new DeleteObjectCommand({ ...bucket, Key }));
        }
        if (IsTruncated !== true) return;
      }
    },
  };
}

function openClient(settings: MediaSettings, requestMsMax: number): S3Client {
  const { CONTENT_S3_ENDPOINT: endpoint, CONTENT_S3_ACCESS_KEY_ID: accessKeyId } = settings;
  return new S3Client({
    region: settings.CONTENT_S3_REGION,
    requestHandler: {
      httpAgent: { maxSockets: SOCKETS_MAX },
      httpsAgent: { maxSockets: SOCKETS_MAX },
      connectionTimeout: CONNECT_MS_MAX,
      requestTimeout: requestMsMax,
      throwOnRequestTimeout: true,
    },
    forcePathStyle: settings.CONTENT_S3_FORCE_PATH_STYLE === "true",
    // Other services may not know the newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...(endpoint !== undefined && { endpoint }),
    ...(accessKeyId !== undefined && {
      credentials: { accessKeyId, secretAccessKey: settings.CONTENT_S3_SECRET_ACCESS_KEY ?? "" },
    }),
  });
}
