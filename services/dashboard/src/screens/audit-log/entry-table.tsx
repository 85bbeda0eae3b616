import { Link, linkOptions } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import type { Actors } from "../../data/use-names.ts";
import { programOf } from "../../format/user-agent.ts";
import { Address, CopiedId, IdEnd } from "../../ui/code.tsx";
import { type Column, Table } from "../../ui/list.tsx";
import { Fact } from "../../ui/screen.tsx";
import { Badge, ExactTime } from "../../ui/value.tsx";
import { ALARMING_ACTIONS, changesOf, textOfAction } from "./words.ts";
import "./entry-table.css";

type Entry = DataOf<"listAuditLog">[number];

interface EntryTableProps {
  readonly entries: readonly Entry[];
  readonly actors: Actors;
}

const ACTOR_KINDS: Readonly<Record<Entry["actor"]["type"], string>> = {
  user: "Person",
  api_key: "Key",
  operator: "Operator of the platform",
  holder: "Whoever held the key",
};

export function EntryTable({ entries, actors }: EntryTableProps) {
  const columns: Column<Entry>[] = [
    { name: "When", cell: ({ at }) => <ExactTime at={at} /> },
    { name: "Who", cell: ({ actor }) => <Who actor={actor} /> },
    { name: "What", isHeading: true, cell: (entry) => <What entry={entry} /> },
    { name: "Target", cell: (entry) => <Target target={entry.target} name={nameOfTarget(entry, actors)} /> },
    { name: "Address", cell: ({ ip }) => <Address ip={ip} /> },
  ];
  return <Table caption="Audit log" columns={columns} rows={entries} />;
}

function Who({ actor: { type, id, name } }: Pick<Entry, "actor">) {
  return (
    <>
      <Link to="/audit-log" search={{ actorId: id }}>
        <bdi>{name}</bdi>
        <span className="hidden">: everything they did</span>
      </Link>{" "}
      {type !== "user" && <span className="soft">{ACTOR_KINDS[type]}</span>}
    </>
  );
}

function What({ entry }: { readonly entry: Entry }) {
  const { at, action, target, changes, requestId, userAgent } = entry;
  const text = textOfAction(action);
  return (
    <details className="entry-details">
      <summary>
        {ALARMING_ACTIONS.has(action) ? <Badge tone="warning">{text}</Badge> : <strong>{text}</strong>}
      </summary>
      <dl>
        {changesOf(changes).map(({ field, before, after }) => (
          <Fact key={field} name={field}>
            {before !== undefined && (
              <>
                <del>{before}</del> <span aria-hidden="true">→</span>{" "}
              </>
            )}
            {before === undefined ? after : <ins>{after}</ins>}
          </Fact>
        ))}
        <Fact name="Exact time">
          <code>{at}</code>
        </Fact>
        <Fact name="Action">
          <code>{action}</code>
        </Fact>
        <Fact name="Target id">
          <CopiedId id={target.id} what="target id" />
        </Fact>
        <Fact name="Request id">
          <CopiedId id={requestId} what="request id" />
        </Fact>
        {userAgent !== null && (
          <Fact name="Program">
            {programOf(userAgent)} <code className="soft">{userAgent}</code>
          </Fact>
        )}
      </dl>
    </details>
  );
}

interface TargetProps {
  readonly target: { readonly type: string; readonly id: string };
  readonly name: string | undefined;
}

const KINDS: Readonly<Record<string, string>> = {
  user: "Person",
  api_key: "Key",
  module: "Module",
  webhook_subscription: "Subscription",
  webhook_listener: "Listener",
  webhook_delivery: "Delivery",
  notice_destination: "Notices",
  content_type: "Content type",
  media: "File",
  tenant: "Shop",
};

function Target({ target, name }: TargetProps) {
  const { type, id } = target;
  const page = pageOf(target);
  const label = name === undefined ? id.length > 20 ? <IdEnd id={id} /> : id : <bdi>{name}</bdi>;
  return (
    <>
      <span className={name === undefined ? "soft" : "hidden"}>{KINDS[type] ?? type}</span>{" "}
      {page === undefined ? label : <Link {...page}>{label}</Link>}
    </>
  );
}

function pageOf({ type, id }: Entry["target"]) {
  switch (type) {
    case "user":
      // A user whose creation was refused has an e-mail in place of an id, and no page.
      return id.includes("@") ? undefined : linkOptions({ to: "/staff/$userId", params: { userId: id } });
    case "api_key":
      return linkOptions({ to: "/ai-integrations", search: { all: true } });
    case "module":
    case "tenant":
      return linkOptions({ to: "/shop" });
    case "webhook_subscription":
      return linkOptions({ to: "/webhooks/$subscriptionId", params: { subscriptionId: id } });
    case "webhook_delivery":
      return linkOptions({ to: "/deliveries/$deliveryId", params: { deliveryId: id } });
    case "notice_destination":
      return linkOptions({ to: "/notices" });
    case "media":
      return linkOptions({ to: "/media/$mediaId", params: { mediaId: id } });
    default:
      return undefined;
  }
}

/** Undefined if the target is neither a known person or key nor named by the entry. */
function nameOfTarget({ target, actor, changes }: Entry, { people, keys }: Actors): string | undefined {
  if (target.id === actor.id) return actor.name;
  const known = [...people, ...keys].find(({ id }) => id === target.id)?.name;
  const [recorded] = [changes.name, changes.label, changes.email].filter(
    (value) => typeof value === "string",
  );
  return known ?? recorded;
}
