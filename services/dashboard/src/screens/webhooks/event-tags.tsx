import { ALWAYS_OFFERED, EVENT_TYPES, type EventType } from "../../format/webhooks.ts";

interface EventTagsProps {
  readonly events: readonly EventType[];
  /** Those that the operator no longer offers. */
  readonly inactive?: readonly EventType[];
}

export function EventTags({ events, inactive = [] }: EventTagsProps) {
  const all = ALWAYS_OFFERED.length;
  if (events.length === all && ALWAYS_OFFERED.every((type) => events.includes(type))) return `All ${all}`;
  return (
    <ul className="tags">
      {events.map((type) => (
        <li key={type} title={type}>
          {EVENT_TYPES[type]}
          {inactive.includes(type) && <span className="soft"> (no longer offered)</span>}
        </li>
      ))}
    </ul>
  );
}
