import { Badge } from "../../ui/badge.tsx";
import { type Subscription, stateOf } from "./state.ts";

type StateBadgeProps = { readonly subscription: Pick<Subscription, "active" | "health"> };

/** The state of a subscription, and its fault. */
export function StateBadge({ subscription }: StateBadgeProps) {
  const { name, tone, fault } = stateOf(subscription);
  return (
    <div className="lines">
      <Badge tone={tone}>{name}</Badge>
      {fault !== "" && <span className="soft">{fault}</span>}
    </div>
  );
}
