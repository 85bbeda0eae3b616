import { Badge } from "../../ui/badge.tsx";
import type { Person } from "./manage.ts";

export function Status({ state }: Pick<Person, "state">) {
  if (state === "invited") return <Badge tone="warning">Invited</Badge>;
  return state === "active" ? <Badge tone="good">Active</Badge> : <Badge tone="quiet">Inactive</Badge>;
}
