// Shows one value of an entry as text, so that markup that somebody wrote has no effect.
import { Link } from "@tanstack/react-router";
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
  if (field.type === "reference")
    return (
      <Link to="/entries/$entryId" params={{ entryId: text }}>
        <code>{text}</code>
      </Link>
    );
  if (field.type === "media")
    return (
      <Link to="/media/$mediaId" params={{ mediaId: text }}>
        <code>{text}</code>
      </Link>
    );
  if (typeof value === "object") return <code className="written">{text}</code>;
  return (
    <span className="written" dir="auto">
      {text}
    </span>
  );
}
