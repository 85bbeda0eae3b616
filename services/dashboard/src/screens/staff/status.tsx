// Whether a person may sign in; for an invited one, how long the setup link works.
import { Badge, Time } from "../../ui/value.tsx";
import { type Entry, linkOf, type Person } from "./manage.ts";

interface StatusProps {
  readonly person: Person;
  readonly invitations: readonly Entry[] | undefined;
}

export function Status({ person, invitations }: StatusProps) {
  const { state } = person;
  if (state === "active") return <Badge tone="good">Active</Badge>;
  if (state === "inactive") return <Badge tone="quiet">Inactive</Badge>;
  return (
    <div className="lines">
      <Badge tone="warning">Invited</Badge>
      {invitations !== undefined && <Link expiresAt={linkOf(person, invitations)} />}
    </div>
  );
}

function Link({ expiresAt }: { readonly expiresAt: ReturnType<typeof linkOf> }) {
  if (expiresAt === undefined) return null;
  if (expiresAt === "ended") return <span className="soft">The link no longer works</span>;
  const hasExpired = Date.parse(expiresAt) <= Date.now();
  return (
    <span className="soft">
      {hasExpired ? "The link expired" : "The link expires"} <Time at={expiresAt} />
    </span>
  );
}
