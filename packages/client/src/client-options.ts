// The options of a client. They are checked when the client is created, so that a mistake is found where it was made.

export interface ClientOptions {
  /** The address of the gateway: `https://shop.example.com`. A path in it precedes `/v1`. */
  readonly url: string | URL;
  /** The API key of an integration. */
  readonly apiKey?: string | undefined;
  /** A dashboard token, instead of an API key. A function is called before each try; the request rejects with its error. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** The limit of one try, in ms; 30,000 by default. A request that waits for events may take `waitSeconds` more. */
  readonly timeoutMs?: number | undefined;
  /** The limit of a request with all its tries, in ms, without its `waitSeconds`; 60,000 by default. `Infinity` means no limit. */
  readonly deadlineMs?: number | undefined;
  /** The largest response body, decompressed, in bytes; 64 MiB by default. */
  readonly responseBytesMax?: number | undefined;
  /**
   * Parses response bodies; `JSON.parse` by default, which rounds numbers of more than 15 digits. Pass a parser that keeps them
   * if `metadata` or an entry's `data` has such numbers.
   */
  readonly parseJson?: ((text: string) => unknown) | undefined;
  /** Serializes request bodies; `JSON.stringify` by default. */
  readonly stringifyJson?: ((value: unknown) => string) | undefined;
  /** Called before each wait for another try. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/** A failed try that will be repeated. */
export interface Retry {
  /** The operation's id, such as `placeOrder`. */
  readonly operation: string;
  /** How often the request has been sent. */
  readonly tries: number;
  readonly waitMs: number;
  readonly code: string;
  readonly status: number | null;
}

export interface Settings {
  readonly baseUrl: URL;
  readonly credential: () => Promise<string | null>;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly responseBytesMax: number;
  readonly parseJson: (text: string) => unknown;
  readonly stringifyJson: (value: unknown) => string;
  readonly onRetry: (retry: Retry) => void;
}

const TIMEOUT_MS = 30_000;
const DEADLINE_MS = 60_000;
const RESPONSE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Returns the options with defaults.
 *
 * @throws a TypeError that names the invalid option and never shows the credential.
 */
export function settingsOf(options: ClientOptions): Settings {
  return {
    baseUrl: baseUrlOf(options.url),
    credential: credentialOf(options),
    timeoutMs: positive("timeoutMs", options.timeoutMs ?? TIMEOUT_MS),
    deadlineMs: positive("deadlineMs", options.deadlineMs ?? DEADLINE_MS),
    responseBytesMax: positive("responseBytesMax", options.responseBytesMax ?? RESPONSE_BYTES_MAX),
    parseJson: options.parseJson ?? JSON.parse,
    stringifyJson: options.stringifyJson ?? JSON.stringify,
    onRetry: options.onRetry ?? (() => undefined),
  };
}

export function positive(name: string, value: number): number {
  if (typeof value !== "number" || !(value > 0)) throw new TypeError(`${name}: must be a number above 0`);
  return value;
}

function baseUrlOf(address: string | URL): URL {
  const text = String(address);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new TypeError("url: must be an http or https address, such as https://shop.example.com");
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new TypeError("url: must not have credentials, a query or a fragment; pass the key as apiKey");
  return new URL(`${url.origin}${url.pathname.replace(/\/+$/, "")}`);
}

function credentialOf({ apiKey, token }: ClientOptions): Settings["credential"] {
  if (apiKey !== undefined && token !== undefined)
    throw new TypeError("apiKey, token: pass only one of them");
  const credential = apiKey ?? token;
  const name = apiKey === undefined ? "token" : "apiKey";
  if (credential === undefined) return async () => null;
  if (typeof credential === "function") return async () => visible(name, await credential());
  const checked = visible(name, credential);
  return async () => checked;
}

/** Node's own error would print the value. */
function visible(name: string, credential: unknown): string {
  if (typeof credential !== "string" || !/^[\x21-\x7e]{1,4096}$/.test(credential))
    throw new TypeError(`${name}: must be 1 to 4096 visible ASCII characters without a space`);
  return credential;
}
