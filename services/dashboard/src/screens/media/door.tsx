// The parts that other areas use: a small picture of a file, and the uploads.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { BodyOf, DataOf } from "@tradepost/client/operations";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { Failure, sentence } from "../../api/failure.ts";
import { size } from "../../format/words.ts";
import { requestFile, requestUpload } from "../../session/request.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Section } from "../../ui/screen.tsx";
import { Badge } from "../../ui/value.tsx";
import "./media.css";

export type Media = DataOf<"getMedia">;

const TEXTS = {
  uploaded: { tone: "warning", text: "Waiting" },
  processing: { tone: "warning", text: "Being resized" },
  ready: { tone: "good", text: "Ready" },
  failed: { tone: "danger", text: "Failed" },
} as const;

export function Status({ status }: Pick<Media, "status">) {
  return <Badge {...TEXTS[status]} />;
}

export function isOpen({ status }: Pick<Media, "status">): boolean {
  return status === "uploaded" || status === "processing";
}

export function Thumbnail({ media }: { readonly media: Media }) {
  const frame = useRef<HTMLDivElement>(null);
  const isSeen = useIsSeen(frame);
  const hasPicture = media.variants.some(({ name }) => name === "thumbnail");
  const address = usePicture(media.id, { variant: "thumbnail", isWanted: hasPicture && isSeen });
  return (
    <div ref={frame} className="thumbnail">
      {hasPicture && address !== undefined ? (
        <img src={address} alt="" />
      ) : media.contentType.startsWith("image/") && isOpen(media) ? (
        <Icon name="picture" />
      ) : (
        !hasPicture && <Icon name="page" />
      )}
    </div>
  );
}

/** True once the element has been in view, or nearly. */
function useIsSeen(element: { readonly current: Element | null }): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
      },
      { rootMargin: "200px" },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isSeen;
}

interface Upload {
  readonly id: number;
  readonly file: File;
  readonly sentBytes: number;
  /** `refused`: another try would be refused too; `interrupted`: another try may succeed. */
  readonly state: "waiting" | "uploading" | "done" | "refused" | "interrupted" | "cancelled";
  readonly reason?: string;
  readonly cancelling: AbortController;
}

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
        const cancelling = new AbortController();
        return { id: nextId.current, file, sentBytes: 0, state: "waiting", cancelling };
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
    clear: () => setUploads((all) => all.filter(({ state }) => state === "waiting" || state === "uploading")),
  };
}

/** Another try does not help for a file that was changed or removed since it was chosen, because it cannot be read. */
function mayRetry(error: unknown): boolean {
  return error instanceof Failure && error.isTransient;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Failure)) return "It could not be read.";
  if (error.status === 0) return "The connection was lost.";
  const [detail] = error.details;
  return detail === undefined ? error.message : detail.message;
}

interface UploadButtonProps extends ComponentProps<typeof Button> {
  readonly onFiles: (files: readonly File[]) => void;
}

export function UploadButton({ onFiles, ...button }: UploadButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon="plus" {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
    </>
  );
}

type Uploads = ReturnType<typeof useUploads>;

export function UploadList({ uploads, retry, cancel, clear }: Omit<Uploads, "add">) {
  if (uploads.length === 0) return null;
  const finished = uploads.filter(({ state }) => state !== "waiting" && state !== "uploading").length;
  return (
    <Section title="Uploads" action={finished > 0 && <Button text="Clear finished" onClick={clear} />}>
      <p role="status" className="soft">
        {finished} of {uploads.length} finished
      </p>
      <ul className="uploads card">
        {uploads.map((upload) => (
          <li key={upload.id}>
            <strong>
              <bdi>{upload.file.name}</bdi>
            </strong>
            <State {...{ upload, retry, cancel }} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const STATES = {
  waiting: { tone: "quiet", text: "Waiting" },
  uploading: null,
  done: { tone: "good", text: "Uploaded" },
  refused: { tone: "danger", text: "Refused" },
  interrupted: { tone: "warning", text: "Interrupted" },
  cancelled: { tone: "quiet", text: "Cancelled" },
} as const;

function State({ upload, retry, cancel }: Pick<Uploads, "retry" | "cancel"> & { readonly upload: Upload }) {
  const { state, sentBytes, file, reason } = upload;
  const badge = STATES[state];
  return (
    <div className="row">
      {badge ? (
        <Badge {...badge} />
      ) : (
        <>
          <progress aria-label={`Upload of ${file.name}`} value={sentBytes} max={Math.max(file.size, 1)} />
          <span className="number soft">
            {size(sentBytes)} of {size(file.size)}
          </span>
        </>
      )}
      {(state === "refused" || state === "interrupted") && <span>{sentence(reason ?? "")}</span>}
      {state === "interrupted" && (
        <Button
          text="Try again"
          look="quiet"
          onClick={() => retry(upload)}
          about={`to upload ${file.name}`}
        />
      )}
      {(state === "waiting" || state === "uploading") && (
        <Button
          text="Cancel"
          look="quiet"
          onClick={() => cancel(upload)}
          about={`the upload of ${file.name}`}
        />
      )}
    </div>
  );
}

export type MediaVariant = NonNullable<BodyOf<"createMediaLink">["variant"]>;

interface PictureOptions {
  readonly variant: MediaVariant;
  readonly isWanted?: boolean;
}

export function usePicture(id: string, { variant, isWanted = true }: PictureOptions): string | undefined {
  const { data } = useQuery({
    queryKey: ["getMediaFile", id, variant],
    queryFn: async ({ signal }) =>
      await dataUrlOf(await requestFile("getMediaFile", { path: { id }, query: { variant } }, { signal })),
    enabled: isWanted,
    // The file never changes.
    staleTime: Infinity,
  });
  return data;
}

function dataUrlOf(file: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result));
  reader.onerror = () => reject(reader.error ?? new Error("the file could not be read"));
  reader.readAsDataURL(file);
  return promise;
}
