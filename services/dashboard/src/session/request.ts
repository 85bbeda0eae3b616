// Sends a request as the signed-in user. The screen does not notice if an expired token is replaced or a rate limit is waited for.
import { type DataOf, OPERATIONS, type Operation, type OperationId } from "@tradepost/client/operations";
import { Failure } from "../api/failure.ts";
import { type Input, type Reply, type SendOptions, send, sendForFile } from "../api/send.ts";
import { upload } from "../api/upload.ts";
import { freshToken } from "./session.ts";
import { createStore } from "./store.ts";
import { userOf } from "./token.ts";

const UNAUTHORIZED = 401;
const TOO_MANY = 429;
// The request does not wait for longer; the screen then shows an error with the time.
const WAIT_SECONDS_MAX = 60;
const KEY_BYTES = 16;

/** The time until which requests wait for a rate limit, in milliseconds since 1970; null if none waits. */
export const waitingUntil = createStore<number | null>(null);

type RequestOptions = Omit<SendOptions, "token">;

/** The idempotency key is a new one by default. Rejects with a `Failure`. */
export async function request<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { idempotencyKey = randomKey(), ...options }: RequestOptions = {},
): Promise<Reply<DataOf<Id>>> {
  const operation: Operation = OPERATIONS[id];
  // All tries have the same key, so that the request is carried out once.
  const key = operation.takesKey ? { idempotencyKey } : {};
  return await asUser((token) => send(id, input, { ...options, ...key, ...token }));
}

export async function requestFile<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  options: Pick<RequestOptions, "signal"> & { readonly onProgress?: (bytes: number) => void },
): Promise<Blob> {
  return await asUser((token) => sendForFile(id, input, { ...options, ...token }));
}

/** Sends a file, and reports the bytes sent so far. Rejects with a `Failure`, also when `signal` is aborted. */
export async function requestUpload(
  file: File,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<void> {
  await asUser((token) => upload(file, { ...token, signal, onProgress }));
}

async function asUser<Result>(
  send: (token: { readonly token?: string }) => Promise<Result>,
): Promise<Result> {
  let refused: string | undefined;
  let user: string | undefined;
  let waited: Failure | undefined;
  for (;;) {
    const token = await freshToken(refused);
    const now = token === undefined ? undefined : userOf({ token });
    // Somebody else has signed in while the request waited.
    if (waited !== undefined && now !== user) throw waited;
    user = now;
    try {
      return await send(token === undefined ? {} : { token });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.status === TOO_MANY && (error.retryAfterSeconds ?? Infinity) <= WAIT_SECONDS_MAX) {
        waited = error;
        await pause(error.retryAfterSeconds ?? 0);
      } else if (error.status === UNAUTHORIZED && token !== undefined && refused === undefined) {
        refused = token;
      } else throw error;
    }
  }
}

async function pause(seconds: number): Promise<void> {
  const until = Date.now() + seconds * 1_000;
  waitingUntil.set(Math.max(until, waitingUntil.get() ?? 0));
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  if ((waitingUntil.get() ?? 0) <= Date.now() + 1) waitingUntil.set(null);
}

/** Works also over http, where `crypto.randomUUID` is missing. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
