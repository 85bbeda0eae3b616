// The fields of a new or changed subscription.
import type { ErrorDetail } from "@tradepost/client/operations";
import { fieldErrors } from "../../api/field-errors.ts";
import { TextField } from "../../ui/field.tsx";
import type { Draft } from "./draft.ts";
import { EVENT_NAMES, EventsAndFilter } from "./events-and-filter.tsx";
import { HeaderRows } from "./header-rows.tsx";

interface SubscriptionFieldsProps {
  readonly from: Draft;
  /** The reasons why the platform refused the fields. */
  readonly details: readonly ErrorDetail[];
}

const NAMES = ["name", "url", ...EVENT_NAMES, "maxPerSecond", "maxInFlight", "headers"] as const;
const NAME_CHARACTERS_MAX = 200;
const URL_CHARACTERS_MAX = 2_048;
/** Their bounds are checked by the platform, which names them in its errors. */
const LIMITS = [
  { label: "Attempts a second, at most", name: "maxPerSecond" },
  { label: "Attempts at a time, at most", name: "maxInFlight" },
] as const;

/** The details that no field shows. */
export function otherDetails(details: readonly ErrorDetail[]): readonly ErrorDetail[] {
  return fieldErrors(details, NAMES).rest;
}

export function SubscriptionFields({ from, details }: SubscriptionFieldsProps) {
  const { byField } = fieldErrors(details, NAMES);
  return (
    <>
      <TextField
        label="Name"
        hint="Which system receives it."
        error={byField.name}
        name="name"
        required
        maxLength={NAME_CHARACTERS_MAX}
        defaultValue={from.name}
      />
      <TextField
        label="URL"
        hint="It begins with https:// and responds to a POST with 2xx within 10 seconds."
        error={byField.url}
        name="url"
        type="url"
        required
        maxLength={URL_CHARACTERS_MAX}
        defaultValue={from.url}
        placeholder="https://example.com/hooks"
        spellCheck={false}
      />
      <EventsAndFilter from={from} details={details} />
      {LIMITS.map(({ label, name }) => (
        <TextField
          key={name}
          label={label}
          hint="Empty for no limit."
          error={byField[name]}
          name={name}
          type="number"
          step="any"
          inputMode="numeric"
          defaultValue={from[name] ?? ""}
        />
      ))}
      <HeaderRows from={from.headers} details={details} />
    </>
  );
}
