// The event types of a subscription: one by one, by the kind of resource, or all at once.
import { type ChangeEvent, useEffect, useRef } from "react";
import { useList } from "../../data/use-list.ts";
import { EVENT_TYPES, type EventType } from "../../format/webhooks.ts";
import { FieldGroup } from "../../ui/field.tsx";
import { ALL_TYPES, EVENT_GROUPS, withAll, withoutAll } from "./event-groups.ts";
import "./event-boxes.css";

interface EventBoxesProps {
  readonly chosen: readonly EventType[];
  readonly error: string | undefined;
  readonly onChange: (chosen: readonly EventType[]) => void;
}

export function EventBoxes({ chosen, error, onChange }: EventBoxesProps) {
  const { items = [] } = useList("listEventTypes");
  const described = new Map(items.map(({ type, description }) => [type, description]));
  const set = (types: readonly EventType[]) => (isOn: boolean) =>
    onChange(isOn ? withAll(chosen, types) : withoutAll(chosen, types));
  return (
    <FieldGroup label="Events" hint="Orders have no webhook: programs follow their feed." error={error}>
      <div className="choices">
        <AllBox label="All events" types={ALL_TYPES} chosen={chosen} onChange={set(ALL_TYPES)} />
        {EVENT_GROUPS.map(({ name, types }) => (
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
                <span title={described.get(type)}>
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
  const box = useRef<HTMLInputElement>(null);
  const count = types.filter((type) => chosen.includes(type)).length;
  const isPart = count > 0 && count < types.length;
  // HTML has no attribute for `indeterminate`.
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPart;
  }, [isPart]);
  const change = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => onChange(currentTarget.checked);
  return (
    <label className="choice">
      <input ref={box} type="checkbox" checked={count === types.length} onChange={change} />
      <strong>{label}</strong>
    </label>
  );
}
