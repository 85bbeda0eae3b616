// Decides which first steps a new shop still has, for a role and its modules. Pure.
import { type Holder, isAllowed } from "../../session/roles.ts";

/** Whether the shop has at least one of each; undefined while that is not known. */
export interface Has {
  readonly keys: boolean | undefined;
  readonly orders: boolean | undefined;
  readonly subscriptions: boolean | undefined;
  readonly deliveries: boolean | undefined;
}

export interface Step {
  readonly name: keyof Has;
  readonly title: string;
  readonly text: string;
  readonly isDone: boolean;
}

const STEPS = [
  {
    name: "deliveries",
    needs: { role: "editor", module: "content" },
    title: "See a webhook arrive",
    text: "In the Console: a request, its signed webhook, and the time of each step between them.",
  },
  {
    name: "keys",
    needs: { role: "admin" },
    title: "Create an API key",
    text: "It connects a program or an assistant, and says what that may do.",
  },
  {
    name: "orders",
    needs: { role: "editor", module: "crm" },
    title: "Place the first order",
    text: "By hand here, or from a program with the key.",
  },
  {
    name: "subscriptions",
    needs: { role: "admin", module: "content" },
    title: "Subscribe a URL to events",
    text: "Your own systems hear about what changes here.",
  },
] as const;

/** Empty if every step is done, or while that is not known. */
export function firstSteps(has: Has, holder: Holder): Step[] {
  const steps = STEPS.filter(({ needs }) => isAllowed(holder, needs));
  const isKnown = steps.every(({ name }) => has[name] !== undefined);
  if (!isKnown || steps.every(({ name }) => has[name])) return [];
  return steps.map(({ needs: _, ...step }) => ({ ...step, isDone: has[step.name] === true }));
}
