// Uploads files one after the other. A refused file does not stop the others.
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Failure } from "../../api/failure.ts";
import { requestUpload } from "../../session/request.ts";

export interface Upload {
  readonly id: number;
  readonly file: File;
  /** The number of bytes sent so far. */
  readonly sentBytes: number;
  /** `refused`: another try would be refused too; `interrupted`: another try may succeed. */
  readonly state: "waiting" | "uploading" | "done" | "refused" | "interrupted" | "cancelled";
  /** Why it was refused or interrupted. */
  readonly reason?: string;
  readonly cancelling: AbortController;
}

/** The API accepts no larger file. */
const BYTES_MAX = 25 * 1024 * 1024;

export function useUploads() {
  const cache = useQueryClient();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const queue = useRef<Promise<void>>(Promise.resolve());
  const nextId = useRef(0);

  const change = (id: number, values: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...values } : upload)));

  const run = async ({ id, file, cancelling: { signal } }: Upload) => {
    if (signal.aborted) return;
    if (file.size > BYTES_MAX) return change(id, { state: "refused", reason: "It is larger than 25 MiB." });
    change(id, { state: "uploading" });
    try {
      await requestUpload(file, signal, (sentBytes) => change(id, { sentBytes }));
      change(id, { state: "done", sentBytes: file.size });
    } catch (error) {
      if (signal.aborted) return;
      change(id, { state: mayRetry(error) ? "interrupted" : "refused", reason: reasonOf(error) });
    } finally {
      // Not awaited, so that the next file does not wait for the list.
      void cache.invalidateQueries({ queryKey: ["listMedia"] });
    }
  };
  return {
    uploads,
    add: (files: readonly File[]) => {
      const added = files.map((file): Upload => {
        nextId.current += 1;
        return {
          id: nextId.current,
          file,
          sentBytes: 0,
          state: "waiting",
          cancelling: new AbortController(),
        };
      });
      setUploads((all) => [...all, ...added]);
      for (const upload of added) queue.current = queue.current.then(() => run(upload));
    },
    retry: (upload: Upload) => {
      change(upload.id, { state: "waiting", sentBytes: 0 });
      queue.current = queue.current.then(() => run(upload));
    },
    cancel: ({ id, cancelling }: Upload) => {
      change(id, { state: "cancelled" });
      cancelling.abort();
    },
    /** Removes the uploads that have ended. */
    clear: () => setUploads((all) => all.filter(({ state }) => state === "waiting" || state === "uploading")),
  };
}

/** Another try does not help for a file that was changed or removed since it was chosen, because it cannot be read. */
function mayRetry(error: unknown): boolean {
  return error instanceof Failure && (error.status === 0 || error.status === 429 || error.status >= 500);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Failure)) return "It could not be read.";
  if (error.status === 0) return "The connection was lost.";
  const [detail] = error.details;
  return detail === undefined ? error.message : detail.message;
}
