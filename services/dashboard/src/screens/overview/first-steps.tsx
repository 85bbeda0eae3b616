import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { holderOf, useMe } from "../../data/me.ts";
import { CheckIcon } from "../../ui/icons.tsx";
import { Section } from "../../ui/screen.tsx";
import { firstSteps, type Step } from "./first-steps.ts";

interface List {
  readonly items: readonly { readonly id: string }[] | undefined;
}

interface FirstStepsProps {
  readonly orders: List;
  readonly deliveries: List;
  readonly subscriptions: List;
  readonly keys: List;
}

export function FirstSteps({ orders, deliveries, subscriptions, keys }: FirstStepsProps) {
  const steps = firstSteps(
    { keys: has(keys), orders: has(orders), subscriptions: has(subscriptions), deliveries: has(deliveries) },
    holderOf(useMe()),
  );
  if (steps.length === 0) return null;
  return (
    <Section title="First steps">
      <ol className="steps">
        {steps.map((step) => (
          <li key={step.name} className={step.isDone ? "step step-done" : "step"}>
            <span className="step-mark">{step.isDone && <CheckIcon />}</span>
            <div>
              {step.isDone ? (
                <p>
                  {step.title} <span className="soft">(done)</span>
                </p>
              ) : (
                <>
                  <StepLink step={step} subscriptionId={subscriptions.items?.[0]?.id} />
                  <p className="soft">{step.text}</p>
                </>
              )}
            </div>
          </li>
        ))}
      </ol>
      <p className="soft">
        Programs do the same over HTTP: the <a href="/docs">API reference</a> lists every request, and you can
        try them out there.
      </p>
    </Section>
  );
}

function has({ items }: List): boolean | undefined {
  return items && items.length > 0;
}

interface StepLinkProps {
  readonly step: Step;
  readonly subscriptionId: string | undefined;
}

function StepLink({ step: { name, title }, subscriptionId }: StepLinkProps): ReactNode {
  switch (name) {
    case "keys":
      return (
        <Link to="/ai-integrations" search={{ create: true }}>
          {title}
        </Link>
      );
    case "orders":
      return <Link to="/orders/new">{title}</Link>;
    case "subscriptions":
      return (
        <Link to="/webhooks" search={{ create: true }}>
          {title}
        </Link>
      );
    case "deliveries":
      return subscriptionId === undefined ? (
        // No link, because there is no subscription to test yet.
        <span>{title}</span>
      ) : (
        <Link to="/webhooks/$subscriptionId" params={{ subscriptionId }}>
          {title}
        </Link>
      );
  }
}
