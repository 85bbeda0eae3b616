import type { ItemOf } from "@tradepost/client/operations";
import { useIsAllowed, useMe } from "../../data/me.ts";
import { useList } from "../../data/operations.ts";
import { EVENT_TYPES } from "../../format/webhooks.ts";
import { TextLink } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { EmptyState, ListView } from "../../ui/list.tsx";
import { BehindTheScreen, Screen } from "../../ui/screen.tsx";
import { exampleBody } from "./texts.ts";
import "./event-types.css";

type EventTypeInfo = ItemOf<"listEventTypes">;

export default function EventTypes() {
  const list = useList("listEventTypes");
  return (
    <Screen title="Event types" intro="What a subscription can hear about, and what its receiver gets.">
      <ListView list={list} empty={<EmptyState title="There are no event types">{null}</EmptyState>}>
        {(types) => (
          <div className="card">
            {types.map((one) => (
              <EventTypeDetails key={one.type} info={one} />
            ))}
          </div>
        )}
      </ListView>
      <BehindTheScreen operation="listEventTypes" />
    </Screen>
  );
}

function EventTypeDetails({
  info: { type, description, schema, example, thinExample },
}: {
  readonly info: EventTypeInfo;
}) {
  const { tenant } = useMe();
  const isAdmin = useIsAllowed({ role: "admin" });
  const name = EVENT_TYPES[type];
  return (
    <details className="event-type">
      <summary>
        <strong>{name}</strong> <code>{type}</code>
        <span className="soft">{description}.</span>
      </summary>
      <p className="soft">An example of the body. The real one is a single line.</p>
      <CodeBlock text={exampleBody(type, example, tenant.id)} what={`the example of ${name}`} />
      <details>
        <summary>With thin data</summary>
        <CodeBlock text={exampleBody(type, thinExample, tenant.id)} what={`the thin example of ${name}`} />
      </details>
      <details>
        <summary>
          The JSON Schema of <code>data</code>
        </summary>
        <CodeBlock text={JSON.stringify(schema, null, 2)} what={`the schema of ${name}`} />
      </details>
      {isAdmin ? (
        <TextLink to="/webhooks" search={{ create: true, type }} text="Create a subscription for this" />
      ) : (
        <p className="soft">An admin can create a subscription for this.</p>
      )}
    </details>
  );
}
