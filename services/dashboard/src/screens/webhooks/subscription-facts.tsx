import { Link } from "@tanstack/react-router";
import { useIsAllowed } from "../../data/me.ts";
import { filterLines } from "../../format/event-filter.ts";
import { absoluteTime } from "../../format/time.ts";
import { ALWAYS_OFFERED, EVENT_TYPES, type EventType, waitingText } from "../../format/webhooks.ts";
import { TextLink } from "../../ui/button.tsx";
import { CopiedId } from "../../ui/code.tsx";
import { Facts } from "../../ui/screen.tsx";
import { Badge, Time, Until } from "../../ui/value.tsx";
import { limitsText, PAYLOADS, type Subscription, stateOf } from "./texts.ts";

export function SubscriptionFacts({ subscription }: { readonly subscription: Subscription }) {
  const isAdmin = useIsAllowed({ role: "admin" });
  const { id, name, url, events, health, createdAt } = subscription;
  const { downSince, heldUntil, waiting, lastSuccessAt, lastFailureAt } = health;
  return (
    <Facts
      label={`About ${name}`}
      of={{
        "Down since": downSince && (
          <>
            {absoluteTime(downSince)} (<Time at={downSince} />)
          </>
        ),
        "Held until": heldUntil && (
          <>
            {absoluteTime(heldUntil)} (<Until at={heldUntil} />)
          </>
        ),
        Waiting: waiting === 0 ? "Nothing waits" : waitingText(waiting),
        "Last success": <Time at={lastSuccessAt} />,
        "Last failure": <Time at={lastFailureAt} />,
        Ledger: (
          <Link to="/webhooks/$subscriptionId/ledger" params={{ subscriptionId: id }}>
            What became of the events of each day
          </Link>
        ),
        URL: <code>{url}</code>,
        Events: <EventTags events={events} inactive={subscription.inactiveEvents} />,
        Filter: <Filter subscription={subscription} />,
        Data: PAYLOADS[subscription.payload],
        Limits: limitsText(subscription),
        Headers: <Headers subscription={subscription} />,
        "Signing secret": <Secret subscription={subscription} />,
        Created: <Time at={createdAt} />,
        Id: <CopiedId id={id} what="subscription id" />,
        "Audit log": isAdmin && (
          <TextLink to="/audit-log" search={{ targetId: id }} text="What was done with it" />
        ),
      }}
    />
  );
}

function Filter({ subscription: { filter } }: { readonly subscription: Subscription }) {
  if (filter === null) return <span className="soft">None: all these events are sent</span>;
  return (
    <div className="lines">
      {filterLines(filter).map((line) => (
        <bdi key={line}>{line}</bdi>
      ))}
    </div>
  );
}

function Headers({ subscription: { headers } }: { readonly subscription: Subscription }) {
  const lines = Object.entries(headers);
  if (lines.length === 0) return <span className="soft">None</span>;
  return (
    <div className="lines">
      {lines.map(([name, value]) => (
        <code key={name}>
          {name}: {value}
        </code>
      ))}
    </div>
  );
}

function Secret({ subscription }: { readonly subscription: Subscription }) {
  const { signingSecretPreview, previousSecretUntil } = subscription;
  return (
    <div className="lines">
      <code>{signingSecretPreview}…</code>
      {previousSecretUntil !== null && (
        <span className="soft">
          The previous secret signs too. It ends <Time at={previousSecretUntil} />.
        </span>
      )}
    </div>
  );
}

type StateBadgeProps = { readonly subscription: Pick<Subscription, "active" | "health"> };

export function StateBadge({ subscription }: StateBadgeProps) {
  const { fault, ...state } = stateOf(subscription);
  return (
    <div className="lines">
      <Badge {...state} />
      {fault !== "" && <span className="soft">{fault}</span>}
    </div>
  );
}

interface EventTagsProps {
  readonly events: readonly EventType[];
  /** Types that the operator no longer offers. */
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
