// Decides which first steps a new shop still has, for a role and its modules. Pure.
import { type Holder, isAllowed } from "../../session/roles.ts";

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

/** For each step, the items that the shop has; undefined while they are not known. */
export type Has = Readonly<Record<(typeof STEPS)[number]["name"], readonly unknown[] | undefined>>;

/** Empty if every step is done, or while that is not known. */
export function firstSteps(has: Has, holder: Holder) {
  const steps = STEPS.filter(({ needs }) => isAllowed(holder, needs)).map((step) => {
    const items = has[step.name];
    return { ...step, isDone: items && items.length > 0 };
  });
  const isKnown = steps.every(({ isDone }) => isDone !== undefined);
  return !isKnown || steps.every(({ isDone }) => isDone) ? [] : steps;
}
