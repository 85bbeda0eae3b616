// Shows one value of an entry. Text stays text, so that markup that somebody wrote has no effect.
import { shown, type TypeField } from "./field-values.ts";
import { EntryTitle, MediaFile } from "./known.tsx";
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
