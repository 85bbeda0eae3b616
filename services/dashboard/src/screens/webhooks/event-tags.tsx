import { EVENT_TYPES, type EventType } from "../../format/webhooks.ts";

const ALL = Object.keys(EVENT_TYPES).length;

export function EventTags({ events }: { readonly events: readonly EventType[] }) {
  if (events.length === ALL) return `All ${ALL}`;
  return (
    <ul className="tags">
      {events.map((type) => (
        <li key={type} title={type}>
          {EVENT_TYPES[type]}
        </li>
      ))}
    </ul>
  );
}
