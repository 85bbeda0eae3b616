import { Link, useParams } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { useRead } from "../../data/operations.ts";
import { useEventTypes } from "../../data/use-receivers.ts";
import { duration } from "../../format/time.ts";
import { size } from "../../format/words.ts";
import { TextLink } from "../../ui/button.tsx";
import { CopiedId } from "../../ui/code.tsx";
import { ReadView } from "../../ui/list.tsx";
import { BehindTheScreen, Facts, Screen, Section } from "../../ui/screen.tsx";
import { ExactTime } from "../../ui/value.tsx";
import { Status } from "./requests.tsx";

export default function RequestPage() {
  const { requestId } = useParams({ from: "/app/requests/$requestId" });
  const input = { path: { requestId } };
  const read = useRead("getRequest", input);
  return (
    <Screen title={read.data ? `${read.data.method} ${read.data.route}` : "Request"}>
      <ReadView read={read}>{(request) => <RequestParts request={request} />}</ReadView>
      <BehindTheScreen operation="getRequest" input={input} />
    </Screen>
  );
}

function RequestParts({ request }: { readonly request: DataOf<"getRequest"> }) {
  const { id, at, actor, ip, durationMs, requestBytes, responseBytes } = request;
  return (
    <div className="columns">
      <Outcome request={request} />
      <Facts
        label="This request"
        of={{
          Status: <Status {...request} />,
          By: (
            <>
              <TextLink
                to="/requests"
                search={actor.type === "api_key" ? { keyId: actor.id } : { userId: actor.id }}
                text={actor.name}
              />
              {ip !== null && <p>From {ip}</p>}
            </>
          ),
          Made: <ExactTime at={at} />,
          Took: duration(durationMs),
          Sent: size(requestBytes),
          Received: size(responseBytes),
          "Request id": <CopiedId id={id} what="request id" />,
        }}
      />
    </div>
  );
}

function Outcome({ request: { route, message, paths, caused } }: { readonly request: DataOf<"getRequest"> }) {
  const { hasOrders } = useEventTypes();
  // Events without webhooks have no page.
  const haveWebhooks = !route.startsWith("/v1/customers") && (hasOrders || !route.startsWith("/v1/orders"));
  if (message !== null)
    return (
      <Section title="Why it was refused" intro={message}>
        <ul>
          {paths.map((path) => (
            <li key={path}>
              <code>{path}</code>
            </li>
          ))}
        </ul>
      </Section>
    );
  if (caused.events.length === 0)
    return (
      <Section title="What it caused">
        <p>No events.</p>
      </Section>
    );
  return (
    <Section title="What it caused" intro={haveWebhooks ? undefined : "Events that the change feeds list."}>
      <ul>
        {caused.events.map((eventId) => (
          <li key={eventId}>
            {haveWebhooks ? (
              <>
                <Link to="/events/$eventId" params={{ eventId }}>
                  Event <code>{eventId}</code>
                </Link>
                {", "}
                <TextLink to="/deliveries" search={{ eventId }} text="its deliveries" />
              </>
            ) : (
              <CopiedId id={eventId} what="event id" />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
