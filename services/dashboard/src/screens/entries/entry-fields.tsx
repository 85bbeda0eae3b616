import { Link } from "@tanstack/react-router";
import type { ErrorDetail } from "@tradepost/client/operations";
import type { Failure } from "../../api/failure.ts";
import { fieldErrors } from "../../api/field-errors.ts";
import { ErrorNote } from "../../ui/error-note.tsx";
import { TextField } from "../../ui/field.tsx";
import { Note } from "../../ui/note.tsx";
import type { Data, Texts, TypeField } from "./field-values.ts";
import { ValueInput } from "./value-input.tsx";

interface EntryFieldsProps {
  readonly fields: readonly TypeField[];
  readonly saved: Data;
  readonly texts: Texts;
  readonly onTexts: (texts: Texts) => void;
  readonly slug: string;
  readonly onSlug: (slug: string) => void;
  readonly slugHint: string;
  readonly isSlugRequired: boolean;
  readonly details: readonly ErrorDetail[];
  readonly isSlugTaken: boolean;
}

export function EntryFields(props: EntryFieldsProps) {
  const { fields, saved, texts, onTexts, slug, onSlug, slugHint, isSlugRequired, details, isSlugTaken } =
    props;
  const { byField } = fieldErrors(details, ["slug", ...fields.map(({ key }) => `data.${key}`)]);
  return (
    <>
      {fields.map((field) => (
        <ValueInput
          key={field.key}
          field={field}
          saved={saved[field.key]}
          text={texts[field.key] ?? ""}
          error={byField[`data.${field.key}`]}
          onChange={(text) => onTexts({ ...texts, [field.key]: text })}
        />
      ))}
      <TextField
        label="Slug"
        hint={slugHint}
        error={
          isSlugTaken
            ? "Another entry of this type and locale has this slug. Choose another one."
            : byField.slug
        }
        name="slug"
        required={isSlugRequired}
        maxLength={200}
        pattern="[a-z0-9]+(-[a-z0-9]+)*"
        title="Lower-case letters, digits and single hyphens"
        spellCheck={false}
        value={slug}
        onChange={({ currentTarget }) => onSlug(currentTarget.value)}
      />
    </>
  );
}

interface RefusalProps {
  readonly failure: Failure;
  readonly fields: readonly TypeField[];
  /** The names of the form's other fields, which show their faults themselves. */
  readonly names: readonly string[];
  readonly entry: { readonly type: string; readonly locale: string; readonly slug: string };
}

export function Refusal({ failure, fields, names, entry }: RefusalProps) {
  if (isSlugConflict(failure))
    return (
      <Note tone="danger" title="The slug is taken" isAlert>
        <p>
          Choose another one, or{" "}
          <Link to="/entries" search={entry} target="_blank">
            see the entry that has it
          </Link>
          .
        </p>
      </Note>
    );
  const { rest } = fieldErrors(failure.details, [...names, ...fields.map(({ key }) => `data.${key}`)]);
  return <ErrorNote failure={failure} details={rest} />;
}

export function isSlugConflict(failure: Failure | null): boolean {
  return failure?.status === 409 && failure.message.includes("slug");
}
