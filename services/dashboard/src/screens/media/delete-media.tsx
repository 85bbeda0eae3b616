// Deletes files, after a question that names the entries that use them.
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

const COLUMNS: readonly Column<Media>[] = [
  { name: "File", isHeading: true, cell: ({ filename }) => <bdi className="clamped">{filename}</bdi> },
];

export function DeleteMedia({ files, onClose }: DeleteMediaProps) {
  const [first, ...others] = files;
  return (
    <ConfirmMany
      action={`Delete ${counted(files.length, "file")}`}
      items={files}
      columns={COLUMNS}
      stale={["listMedia"]}
      send={({ id }, options) => request("deleteMedia", { path: { id } }, options)}
      done={`${others.length === 0 ? first?.filename : counted(files.length, "file")} deleted.`}
      onClose={onClose}
    >
      {chunksOf(files.map(({ id }) => id)).map((ids) => (
        <UsesNote key={ids[0]} ids={ids} />
      ))}
      <p>
        The files and their smaller versions are gone at once, and links to them end. This cannot be undone.
      </p>
    </ConfirmMany>
  );
}

const IDS_MAX = 100;

function chunksOf(ids: readonly string[]): string[][] {
  const starts = Array.from({ length: Math.ceil(ids.length / IDS_MAX) }, (_, chunk) => chunk * IDS_MAX);
  return starts.map((start) => ids.slice(start, start + IDS_MAX));
}
