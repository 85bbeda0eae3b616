// One run of the Console: the request, the times, and the webhook, side by side where there is room.
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { sentence } from "../../api/failure.ts";
import { TextLink } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { Badge } from "../../ui/value.tsx";
import { type FeedEvent, type Run, stepsOf, type Webhook } from "./runs.ts";

export function RunView({ run }: { readonly run: Run }) {
  const { call, webhook, seen } = run;
  return (
    <section className="run card" aria-label={call?.title ?? "A request of another program"}>
      <Part title={call?.title ?? "Another program"}>
        {call === undefined ? (
          <p className="soft">The request came from elsewhere, so the times begin with the commit.</p>
        ) : (
          <CodeBlock text={pretty(call.body)} what="the body of the request" />
        )}
      </Part>
      <Part title="Time">
        <Steps run={run} />
      </Part>
      {seen && <InFeed seen={seen} />}
      {webhook && <Arrived webhook={webhook} />}
      {!seen && !webhook && <Part title="On its way…">{null}</Part>}
    </section>
  );
}

export function Waiting({ isReady }: { readonly isReady: boolean }) {
  return (
    <section className="run card" aria-label="No request yet">
      <Part title="Request">
        <p className="soft">{isReady ? "Press a button." : "Making a listener…"}</p>
      </Part>
      <Part title="Time">
        <p className="soft">From the commit to your response.</p>
      </Part>
      <Part title="Webhook">
        <p className="soft">The signed request appears here.</p>
      </Part>
    </section>
  );
}

function Part({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="run-part">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

function Steps({ run }: { readonly run: Run }) {
  const { steps, clockMs } = stepsOf(run);
  return (
    <>
      <ol className="run-steps">
        {steps.map(({ name, ms }) => (
          <li key={name}>
            {name} <span className="number">{ms} ms</span>
          </li>
        ))}
      </ol>
      {clockMs !== 0 && (
        <p className="note-small">
          The clocks of the platform and this browser differ; its times are corrected by {clockMs} ms.
        </p>
      )}
    </>
  );
}

const SHOWN = [
  "X-service-Event",
  "X-service-Signature",
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
] as const;

function Arrived({ webhook: { deliveryId, headers, body, fault } }: { readonly webhook: Webhook }) {
  const lines = SHOWN.map((name) => `${name}: ${headers[name]}`);
  return (
    <Part
      title={
        <>
          <TextLink to="/deliveries/$deliveryId" params={{ deliveryId }} text="Webhook" />{" "}
          <Badge tone={fault === null ? "good" : "danger"}>
            {fault === null ? "Signature verified" : "Not verified"}
          </Badge>
        </>
      }
    >
      {fault !== null && <p>{sentence(fault)}</p>}
      <CodeBlock text={`${lines.join("\n")}\n\n${pretty(JSON.parse(body))}`} what="the signed request" />
      <p className="note-small">
        It is signed over every byte of the body. Its delivery shows the other headers.
      </p>
    </Part>
  );
}

function InFeed({ seen: { event } }: { readonly seen: FeedEvent }) {
  const order = "order" in event.data ? event.data.order : undefined;
  return (
    <Part
      title={
        <>
          Event in the feed{" "}
          {order && (
            <Link to="/orders/$orderId" params={{ orderId: order.id }}>
              Order {order.orderNumber}
            </Link>
          )}
        </>
      }
    >
      <p className="soft">Orders have no webhooks: programs read their feed, and miss nothing.</p>
      <CodeBlock text={pretty(event)} what="the event" />
    </Part>
  );
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
