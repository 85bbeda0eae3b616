// Shows one value of an entry. Text stays text, so that markup that somebody wrote has no effect.
import { Link } from "@tanstack/react-router";
import { useList, useRead } from "../../data/operations.ts";
import { entryTitle } from "../../format/words.ts";
import { EmptyState } from "../../ui/list.tsx";
import { Thumbnail } from "../media/door.tsx";
import { shown, type TypeField } from "./field-values.ts";
import "./entries.css";

interface ValueProps {
  readonly field: Pick<TypeField, "type">;
  readonly value: unknown;
}

export function Value({ field, value }: ValueProps) {
  const text = shown(field, value);
  if (text === undefined) return <span className="soft">Empty</span>;
  if (field.type === "datetime" && typeof value === "string") return <time dateTime={value}>{text}</time>;
  if (field.type === "reference") return <EntryTitle id={text} />;
  if (field.type === "media") return <MediaFile id={text} />;
  if (typeof value === "object") return <code className="written">{text}</code>;
  return (
    <span className="written" dir="auto">
      {text}
    </span>
  );
}

interface KnownProps {
  readonly id: string;
}

/** Reads the file. Undefined until it is read; null if it does not exist. */
export function useMediaFile(id: string) {
  const { data, error } = useRead("getMedia", { path: { id } }, { isAllowed: id !== "" });
  return error?.status === 404 ? null : data;
}

/** Reads the entry and its title. Undefined until it is read; null if it does not exist. */
export function useEntryTitle(id: string): string | null | undefined {
  const { data, error } = useRead("getEntry", { path: { id } }, { isAllowed: id !== "" });
  return error?.status === 404 ? null : data && entryTitle(data);
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

function EntryTitle({ id }: KnownProps) {
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

export function NoTypes({ title }: { readonly title: string }) {
  return (
    <EmptyState title={title}>
      <p>
        First an admin makes a <Link to="/content-types">content type</Link>: it says which fields entries
        have.
      </p>
    </EmptyState>
  );
}

const QUERY = { limit: 100 };

/** Reads the newest hundred types. An entry of another type shows the type's slug. */
export function useTypes() {
  const list = useList("listContentTypes", QUERY);
  const types = list.items ?? [];
  return {
    list,
    types,
    nameOf: (slug: string) => types.find((type) => type.slug === slug)?.name ?? slug,
  };
}
