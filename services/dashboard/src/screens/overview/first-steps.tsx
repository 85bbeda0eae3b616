import { Link, linkOptions } from "@tanstack/react-router";
import { holderOf, useMe } from "../../data/me.ts";
import { Icon } from "../../ui/icons.tsx";
import { Section } from "../../ui/screen.tsx";
import { firstSteps, type Has } from "./first-steps.ts";

export function FirstSteps({ has }: { readonly has: Has }) {
  const steps = firstSteps(has, holderOf(useMe()));
  if (steps.length === 0) return null;
  return (
    <Section title="First steps">
      <ol className="steps card">
        {steps.map((step) => (
          <li key={step.name} className={step.isDone ? "step step-done" : "step"}>
            <span className="step-mark">{step.isDone && <Icon name="check" />}</span>
            <div>
              {step.isDone ? (
                <p>
                  {step.title} <span className="soft">(done)</span>
                </p>
              ) : (
                <>
                  <Link {...PAGES[step.name]}>{step.title}</Link>
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

const PAGES = {
  keys: linkOptions({ to: "/ai-integrations", search: { create: true } }),
  orders: linkOptions({ to: "/orders/new" }),
  subscriptions: linkOptions({ to: "/webhooks", search: { create: true } }),
  deliveries: linkOptions({ to: "/console" }),
} as const;
