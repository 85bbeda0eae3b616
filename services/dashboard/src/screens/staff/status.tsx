// Shows whether a person may sign in; for an invited person, how long the setup link works.
import { useList } from "../../data/operations.ts";
import { Badge, Time } from "../../ui/value.tsx";
import { LINK_MADE, linkOf, PAGE, type Person } from "./manage.ts";

export function Status({ person }: { readonly person: Person }) {
  if (person.state === "active") return <Badge tone="good">Active</Badge>;
  if (person.state === "inactive") return <Badge tone="quiet">Inactive</Badge>;
  return (
    <div className="lines">
      <Badge tone="warning">Invited</Badge>
      <SetupLink person={person} />
    </div>
  );
}

function SetupLink({ person }: { readonly person: Person }) {
  const made = useList("listAuditLog", { action: LINK_MADE, ...PAGE }).items;
  const changed = useList("listAuditLog", { action: "user.updated", ...PAGE }).items;
  const expiresAt = made && changed && linkOf(person, [...made, ...changed]);
  if (expiresAt === undefined) return null;
  if (expiresAt === "ended") return <span className="soft">The link no longer works</span>;
  const hasExpired = Date.parse(expiresAt) <= Date.now();
  return (
    <span className="soft">
      {hasExpired ? "The link expired" : "The link expires"} <Time at={expiresAt} />
    </span>
  );
}
