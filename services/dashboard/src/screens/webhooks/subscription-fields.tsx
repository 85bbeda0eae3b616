// The fields of a subscription, new or changed.
import type { ErrorDetail } from "@tradepost/client/operations";
import { fieldErrors } from "../../api/field-errors.ts";
import { useList } from "../../data/use-list.ts";
import { EVENT_TYPES, type EventType } from "../../format/webhooks.ts";
import { Field, FieldGroup } from "../../ui/field.tsx";
import type { Draft } from "./draft.ts";
import { HeaderRows } from "./header-rows.tsx";

interface SubscriptionFieldsProps {
  readonly from: Draft;
  /** Why the platform refused the fields. */
  readonly details: readonly ErrorDetail[];
}

const NAMES = ["name", "url", "events", "maxPerSecond", "maxInFlight", "headers"] as const;
const NAME_CHARACTERS_MAX = 200;
const URL_CHARACTERS_MAX = 2_048;

/** The details that no field shows. */
export function otherDetails(details: readonly ErrorDetail[]): readonly ErrorDetail[] {
  return fieldErrors(details, NAMES).rest;
}

export function SubscriptionFields({ from, details }: SubscriptionFieldsProps) {
  const { byField } = fieldErrors(details, NAMES);
  return (
    <>
      <Field label="Name" hint="Which system receives it." error={byField.name}>
        {(control) => (
          <input
            {...control}
            className="input"
            name="name"
            required
            maxLength={NAME_CHARACTERS_MAX}
            defaultValue={from.name}
            autoComplete="off"
          />
        )}
      </Field>
      <Field
        label="URL"
        hint="It begins with https:// and responds to a POST with 2xx within 10 seconds."
        error={byField.url}
      >
        {(control) => (
          <input
            {...control}
            className="input"
            name="url"
            type="url"
            required
            maxLength={URL_CHARACTERS_MAX}
            defaultValue={from.url}
            placeholder="https://example.com/hooks"
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
      <EventBoxes chosen={from.events} error={byField.events} />
      <LimitField
        label="Attempts a second, at most"
        name="maxPerSecond"
        from={from.maxPerSecond}
        error={byField.maxPerSecond}
      />
      <LimitField
        label="Attempts at a time, at most"
        name="maxInFlight"
        from={from.maxInFlight}
        error={byField.maxInFlight}
      />
      <HeaderRows from={from.headers} details={details} />
    </>
  );
}

interface LimitFieldProps {
  readonly label: string;
  readonly name: "maxPerSecond" | "maxInFlight";
  readonly from: number | null;
  readonly error: string | undefined;
}

/** The platform knows the bounds and says them. */
function LimitField({ label, name, from, error }: LimitFieldProps) {
  return (
    <Field label={label} hint="Empty for no limit." error={error}>
      {(control) => (
        <input
          {...control}
          className="input"
          name={name}
          type="number"
          step="any"
          inputMode="numeric"
          defaultValue={from ?? ""}
          autoComplete="off"
        />
      )}
    </Field>
  );
}

interface EventBoxesProps {
  readonly chosen: readonly EventType[];
  readonly error: string | undefined;
}

function EventBoxes({ chosen, error }: EventBoxesProps) {
  const { items = [] } = useList("listEventTypes");
  const described = new Map(items.map(({ type, description }) => [type, description]));
  const types = Object.keys(EVENT_TYPES) as EventType[];
  return (
    <FieldGroup label="Events" hint="Orders have no webhook: programs follow their feed." error={error}>
      <div className="choices">
        {types.map((type) => (
          <label key={type} className="choice">
            <input type="checkbox" name="events" value={type} defaultChecked={chosen.includes(type)} />
            <span>
              {EVENT_TYPES[type]} <code className="soft">{type}</code>
            </span>
            {described.has(type) && <small>{described.get(type)}.</small>}
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}
