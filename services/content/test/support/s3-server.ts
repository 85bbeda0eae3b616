import { createRequire } from "node:module";

interface Server {
  run(): Promise<{ port: number }>;
  close(): Promise<void>;
}

const require = createRequire(import.meta.url);
// It has no types.
const S3rver: new (options: object) => Server = require("s3rver");
const BUCKET = "media";

/** Starts a server like S3, with a bucket in `directory`. `settingsAt` returns the service's settings for it at a port. */
export async function startS3Server(directory: string) {
  const server = new S3rver({
    ...{ port: 0, address: "127.0.0.1", silent: true, directory },
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const { port } = await server.run();
  const settingsAt = (usedPort: number) => ({
    CONTENT_S3_BUCKET: BUCKET,
    CONTENT_S3_ENDPOINT: `http://127.0.0.1:${usedPort}`,
    CONTENT_S3_ACCESS_KEY_ID: "S3RVER",
    CONTENT_S3_SECRET_ACCESS_KEY: "S3RVER",
    CONTENT_S3_FORCE_PATH_STYLE: "true",
  });
  return { port, settingsAt, stop: () => server.close() };
}
