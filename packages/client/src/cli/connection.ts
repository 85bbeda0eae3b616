// Finds the platform to use: TRADEPOST_URL and TRADEPOST_API_KEY, or the demo tenant of the platform that `npm start` runs, which
// stack.json describes.
import { readFileSync } from "node:fs";
import path from "node:path";
import { type Settings, settingsOf } from "../client-options.ts";
import { createClient, type Tradepost } from "../create-client.ts";
import { UsageError } from "./usage-error.ts";

interface Connection {
  readonly url: string;
  readonly apiKey: string;
  readonly customerId?: string;
}

/** `environment` may set the directory of stack.json as TRADEPOST_DATA_DIR; the default is `.data`. */
function findConnection(environment: NodeJS.ProcessEnv, directory: string): Connection {
  const {
    TRADEPOST_URL: url,
    TRADEPOST_API_KEY: apiKey,
    TRADEPOST_DATA_DIR: dataDir = ".data",
  } = environment;
  if (url && apiKey) return { url, apiKey };
  if (url || apiKey)
    throw new UsageError(
      "Set both TRADEPOST_URL and TRADEPOST_API_KEY, or neither to use a platform of `npm start`.",
    );
  const file = path.resolve(directory, dataDir, "stack.json");
  try {
    const { gatewayUrl, demo } = JSON.parse(readFileSync(file, "utf8"));
    return { url: gatewayUrl, apiKey: demo.apiKey, customerId: demo.customerId };
  } catch {
    throw new UsageError(
      "No platform found. Set TRADEPOST_URL and TRADEPOST_API_KEY, or run `npm start` in another terminal first.",
    );
  }
}

// For every request except `lease`, which waits.
const DEADLINE_MS = 15_000;

/** @throws UsageError if no platform is configured or a setting is invalid. */
export function connect(): Tradepost {
  return withPlatform(({ url, apiKey }) => createClient({ url, apiKey, deadlineMs: DEADLINE_MS }));
}

/**
 * Returns the address of that platform, and the customer of the demo.
 * @throws UsageError as `connect`.
 */
export function findPlatform(): Settings & Pick<Connection, "customerId"> {
  return withPlatform(({ customerId, ...options }) => ({
    ...settingsOf(options),
    ...(customerId !== undefined && { customerId }),
  }));
}

function withPlatform<Result>(use: (connection: Connection) => Result): Result {
  const connection = findConnection(process.env, process.cwd());
  try {
    return use(connection);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The client's message already names the option: `url: must be an http or https address`.
    throw new UsageError(
      error.message.replace(/^url:/, "TRADEPOST_URL").replace(/^apiKey:/, "TRADEPOST_API_KEY"),
    );
  }
}
