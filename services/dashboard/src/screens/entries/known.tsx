// A file or an entry that a field refers to by its id, as people know it: a picture and a name, or a title.
import { Link } from "@tanstack/react-router";
import { useRead } from "../../data/use-read.ts";
import { Thumbnail } from "../media/door.ts";
import { titleOf } from "./field-values.ts";
import { useTypes } from "./use-types.ts";

interface KnownProps {
  readonly id: string;
}

/** Reads the file. Undefined until it is read; null if it does not exist. */
export function useMediaFile(id: string) {
  const { data, error } = useRead("getMedia", { path: { id } });
  return error?.status === 404 ? null : data;
}

/** Reads the entry and its title. Undefined until it is read; null if it does not exist. */
export function useEntryTitle(id: string): string | null | undefined {
  const { data, error } = useRead("getEntry", { path: { id } });
  const { fieldsOf } = useTypes();
  if (error?.status === 404) return null;
  return data && titleOf(fieldsOf(data.type), data);
}

export function MediaFile({ id }: KnownProps) {
  const file = useMediaFile(id);
  if (file === null) return <Gone id={id} />;
  return (
    <div className="known-file">
      {file && <Thumbnail media={file} />}
      <Link to="/media/$mediaId" params={{ mediaId: id }}>
        {file === undefined ? <code>{id}</code> : <bdi>{file.filename}</bdi>}
      </Link>
    </div>
  );
}

export function EntryTitle({ id }: KnownProps) {
  const title = useEntryTitle(id);
  if (title === null) return <Gone id={id} />;
  return (
    <Link to="/entries/$entryId" params={{ entryId: id }}>
      {title === undefined ? <code>{id}</code> : <bdi className="clamped">{title}</bdi>}
    </Link>
  );
}

function Gone({ id }: KnownProps) {
  return (
    <span className="soft">
      No longer exists: <code>{id}</code>
    </span>
  );
}
