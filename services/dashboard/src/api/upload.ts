// Sends a file. XMLHttpRequest reports the progress of an upload; fetch does not.
import { OPERATIONS } from "@tradepost/client/operations";
import { failureOfResponse, withoutResponse } from "./failure.ts";

interface UploadOptions {
  readonly token?: string;
  /** If it is aborted after the whole file was sent, the file may arrive nevertheless. */
  readonly signal: AbortSignal;
  readonly onProgress: (bytes: number) => void;
}

/** Rejects with a `Failure`, also when `signal` is aborted. */
export function upload(file: File, { token, signal, onProgress }: UploadOptions): Promise<void> {
  const { method, path } = OPERATIONS.uploadMedia;
  const form = new FormData();
  form.append("file", file);
  const xhr = new XMLHttpRequest();
  xhr.open(method, path);
  // A response that is not JSON is null.
  xhr.responseType = "json";
  xhr.setRequestHeader("accept", "application/json");
  if (token !== undefined) xhr.setRequestHeader("authorization", `Bearer ${token}`);
  xhr.upload.onprogress = ({ loaded }) => onProgress(Math.min(loaded, file.size));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  xhr.onerror = () => reject(withoutResponse());
  xhr.onabort = () => reject(withoutResponse());
  xhr.onload = () => {
    const isDone = xhr.status >= 200 && xhr.status < 300;
    if (isDone) resolve();
    else reject(failureOfResponse(xhr.status, headersOf(xhr), xhr.response ?? undefined));
  };
  signal.addEventListener("abort", () => xhr.abort());
  if (signal.aborted) reject(withoutResponse());
  else xhr.send(form);
  return promise;
}

function headersOf(xhr: XMLHttpRequest): Headers {
  const names = ["retry-after", "x-request-id"];
  return new Headers(
    names.flatMap((name): [string, string][] => {
      const value = xhr.getResponseHeader(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
