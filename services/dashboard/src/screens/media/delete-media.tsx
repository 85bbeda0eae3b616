// Deletes files, after a question that names the entries that use them.
import { partsOf } from "../../data/bulk-run.ts";
import { counted } from "../../format/words.ts";
import { request } from "../../session/request.ts";
import { ConfirmMany } from "../../ui/bulk-dialogs.tsx";
import type { Column } from "../../ui/table.tsx";
import type { Media } from "./media-file.tsx";
import { UsesNote } from "./used-in.tsx";

interface DeleteMediaProps {
  readonly files: readonly Media[];
  readonly onClose: (doneCount: number) => void;
}

const IDS_MAX = 100;
const COLUMNS: readonly Column<Media>[] = [
  { name: "File", isHeading: true, cell: ({ filename }) => <bdi className="clamped">{filename}</bdi> },
];

export function DeleteMedia({ files, onClose }: DeleteMediaProps) {
  return (
    <ConfirmMany
      action={`Delete ${counted(files.length, "file")}`}
      items={files}
      columns={COLUMNS}
      stale={["listMedia"]}
      send={({ id }, options) => request("deleteMedia", { path: { id } }, options)}
      done={`${counted(files.length, "file")} deleted.`}
      onClose={onClose}
    >
      {partsOf(files, IDS_MAX).map((part) => (
        <UsesNote key={part[0]?.id} ids={part.map(({ id }) => id)} />
      ))}
      <p>
        The files and their smaller versions are gone at once, and links to them end. This cannot be undone.
      </p>
    </ConfirmMany>
  );
}
