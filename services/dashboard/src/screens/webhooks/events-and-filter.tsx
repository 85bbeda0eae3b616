// Chooses the events of a subscription: their types, and a filter, which can be tried before it is saved.
import { Link } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { useState } from "react";
import { useChange } from "../../data/operations.ts";
import { useEventTypes } from "../../data/use-receivers.ts";
import { ALL_FILTER_FIELDS, appliesTo, FILTER_FIELDS, type FilterField } from "../../format/event-filter.ts";
import { EVENT_TYPES, type EventType } from "../../format/webhooks.ts";
import { Button } from "../../ui/button.tsx";
import { ShortId } from "../../ui/code.tsx";
import { AreaField, FieldGroup } from "../../ui/field.tsx";
import { FormNote, FormPart } from "../../ui/form.tsx";
import { Note } from "../../ui/note.tsx";
import { Time } from "../../ui/value.tsx";
import { type Draft, draftIn, eventGroups, withAll, withoutAll } from "./draft.ts";
import { previewText } from "./texts.ts";

interface EventsAndFilterProps {
  readonly from: Pick<Draft, "events" | "filter">;
  readonly onChoose: (types: EventType[]) => void;
}

export function EventsAndFilter({ from, onChoose }: EventsAndFilterProps) {
  const [chosen, setChosen] = useState(from.events);
  const preview = useChange("previewFilter", { stale: [] });
  const choose = (types: EventType[]) => {
    preview.reset();
    setChosen(types);
    onChoose(types);
  };
  const tryOut = (form: HTMLFormElement) => {
    const { events, filter } = draftIn(new FormData(form));
    preview.mutate({ body: { events, filter } });
  };
  return (
    <FormPart failure={preview.error} onChange={() => preview.reset()}>
      <EventBoxes chosen={chosen} onChange={choose} />
      <FieldGroup
        path="filter"
        label={
          <>
            Filter <span className="soft">(optional)</span>
          </>
        }
        hint={
          chosen.length === 0
            ? "Which fields there are depends on the events."
            : "One value on each line, up to 20. An event is sent if it matches a line of each of its fields. An empty field matches all."
        }
      >
        <div className="fields">
          {ALL_FILTER_FIELDS.map((field) => (
            <FilterInput
              key={field}
              field={field}
              values={from.filter?.[field]}
              isOffered={appliesTo(field, chosen)}
            />
          ))}
        </div>
      </FieldGroup>
      <div>
        <Button
          text="Try on past events"
          isBusy={preview.isPending}
          onClick={({ currentTarget: { form } }) => form && tryOut(form)}
        />
      </div>
      {preview.error && <FormNote />}
      {preview.data && <Preview preview={preview.data.data} />}
    </FormPart>
  );
}

interface FilterInputProps {
  readonly field: FilterField;
  readonly values: readonly string[] | null | undefined;
  readonly isOffered: boolean;
}

/** A field that is not offered is disabled, so it is not sent, but it keeps its text. */
function FilterInput({ field, values, isOffered }: FilterInputProps) {
  const { label, example } = FILTER_FIELDS[field];
  return (
    <div hidden={!isOffered}>
      <AreaField
        label={label}
        path={`filter.${field}`}
        name={field}
        disabled={!isOffered}
        defaultValue={values?.join("\n")}
        placeholder={example}
        spellCheck={false}
      />
    </div>
  );
}

const SHOWN_MAX = 5;

function Preview({ preview }: { readonly preview: DataOf<"previewFilter"> }) {
  return (
    <Note tone="info" title={previewText(preview)} isAlert>
      {preview.examples.length > 0 && (
        <>
          <p>The newest that {preview.matched === 1 ? "matches" : "match"}:</p>
          <ul>
            {preview.examples.slice(0, SHOWN_MAX).map(({ id, type, resourceId, occurredAt }) => (
              <li key={id}>
                {/* Opens in another tab, so that the form stays open. */}
                <Link to="/events/$eventId" params={{ eventId: id }} target="_blank">
                  {EVENT_TYPES[type]}
                </Link>{" "}
                {resourceId !== null && <ShortId id={resourceId} />} <Time at={occurredAt} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Note>
  );
}

interface EventBoxesProps {
  readonly chosen: readonly EventType[];
  readonly onChange: (chosen: EventType[]) => void;
}

function EventBoxes({ chosen, onChange }: EventBoxesProps) {
  const { types: offered, items, hasOrders } = useEventTypes();
  // A chosen type that the operator no longer offers can be deselected.
  const [before] = useState(chosen);
  const all = withAll(offered, before);
  const set = (types: readonly EventType[]) => (isOn: boolean) =>
    onChange(isOn ? withAll(chosen, types) : withoutAll(chosen, types));
  return (
    <FieldGroup
      label="Events"
      hint={
        hasOrders
          ? "Data of orders is always thin: number, channel, state and version, and nothing about the customer."
          : "Orders have no webhook: programs follow their feed."
      }
      path="events"
    >
      <div className="choices">
        <AllBox label="All events" types={all} chosen={chosen} onChange={set(all)} />
        {eventGroups(all).map(({ name, types }) => (
          <fieldset key={name} className="event-group">
            <legend className="hidden">{name}</legend>
            <AllBox label={name} types={types} chosen={chosen} onChange={set(types)} />
            {types.map((type) => (
              <label key={type} className="choice event-box">
                <input
                  type="checkbox"
                  name="events"
                  value={type}
                  checked={chosen.includes(type)}
                  onChange={({ currentTarget }) => set([type])(currentTarget.checked)}
                />
                <span title={items.get(type)?.description ?? "No longer offered"}>
                  {EVENT_TYPES[type]} <code className="soft">{type}</code>
                </span>
              </label>
            ))}
          </fieldset>
        ))}
      </div>
    </FieldGroup>
  );
}

interface AllBoxProps {
  readonly label: string;
  readonly types: readonly EventType[];
  readonly chosen: readonly EventType[];
  readonly onChange: (isOn: boolean) => void;
}

/** A box for several types. It has no name, so it is not sent. */
function AllBox({ label, types, chosen, onChange }: AllBoxProps) {
  const count = types.filter((type) => chosen.includes(type)).length;
  return (
    <label className="choice">
      <input
        type="checkbox"
        checked={count === types.length}
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && count < types.length;
        }}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <strong>{label}</strong>
    </label>
  );
}
