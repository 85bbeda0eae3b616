// The uploads since the screen was opened: the progress of each, and why one was refused.
import { sentence } from "../../api/field-errors.ts";
import { size } from "../../format/size.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/section.tsx";
import "./upload-list.css";
import type { Upload } from "./use-uploads.ts";

interface UploadListProps {
  readonly uploads: readonly Upload[];
  readonly onRetry: (upload: Upload) => void;
  readonly onCancel: (upload: Upload) => void;
  readonly onClear: () => void;
}

export function UploadList({ uploads, onRetry, onCancel, onClear }: UploadListProps) {
  if (uploads.length === 0) return null;
  const finished = uploads.filter(({ state }) => state !== "waiting" && state !== "uploading").length;
  return (
    <Section title="Uploads" action={finished > 0 && <Button onClick={onClear}>Clear finished</Button>}>
      <p role="status" className="soft">
        {finished} of {uploads.length} finished
      </p>
      <ul className="uploads">
        {uploads.map((upload) => (
          <li key={upload.id}>
            <strong>
              <bdi>{upload.file.name}</bdi>
            </strong>
            <State upload={upload} onRetry={() => onRetry(upload)} onCancel={() => onCancel(upload)} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface StateProps {
  readonly upload: Upload;
  readonly onRetry: () => void;
  readonly onCancel: () => void;
}

function State({ upload, onRetry, onCancel }: StateProps) {
  const { state, sentBytes, file, reason } = upload;
  const cancel = (
    <Button look="quiet" onClick={onCancel}>
      Cancel<span className="hidden"> the upload of {file.name}</span>
    </Button>
  );
  if (state === "done") return <Badge tone="good">Uploaded</Badge>;
  if (state === "cancelled") return <Badge tone="quiet">Cancelled</Badge>;
  if (state === "waiting")
    return (
      <div className="row">
        <Badge tone="quiet">Waiting</Badge>
        {cancel}
      </div>
    );
  if (state === "refused")
    return (
      <div className="row">
        <Badge tone="danger">Refused</Badge>
        <span>{sentence(reason ?? "")}</span>
      </div>
    );
  if (state === "interrupted")
    return (
      <div className="row">
        <Badge tone="warning">Interrupted</Badge>
        <span>{sentence(reason ?? "")}</span>
        <Button look="quiet" onClick={onRetry}>
          Try again<span className="hidden"> to upload {file.name}</span>
        </Button>
      </div>
    );
  return (
    <div className="row">
      <progress aria-label={`Upload of ${file.name}`} value={sentBytes} max={Math.max(file.size, 1)} />
      <span className="number soft">
        {size(sentBytes)} of {size(file.size)}
      </span>
      {cancel}
    </div>
  );
}
