// The keys, newest first.
import { Link } from "@tanstack/react-router";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { type ApiKey, type KeyState, stateOf, works } from "./key-state.ts";
import { nameOf } from "./scopes.ts";
import "./key-table.css";

interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  readonly onChange: (key: ApiKey) => void;
  readonly onRotate: (key: ApiKey) => void;
  readonly onRevoke: (key: ApiKey) => void;
}

const TONES = {
  active: "good",
  "expires soon": "warning",
  expired: "quiet",
  revoked: "quiet",
} as const satisfies Record<KeyState, string>;
const TEXTS: Record<KeyState, string> = {
  active: "Active",
  "expires soon": "Expires soon",
  expired: "Expired",
  revoked: "Revoked",
};

export function KeyTable({ keys, onChange, onRotate, onRevoke }: KeyTableProps) {
  const columns: Column<ApiKey>[] = [
    { name: "Key", cell: (key) => <KeyName apiKey={key} />, isHeading: true },
    { name: "Status", cell: (key) => <Status state={stateOf(key, Date.now())} /> },
    { name: "Scopes", cell: (key) => <Scopes apiKey={key} /> },
    { name: "Last used", cell: ({ lastUsedAt }) => <TimeOr at={lastUsedAt} none="Never" /> },
    { name: "Expires", cell: ({ expiresAt }) => <TimeOr at={expiresAt} none="Never" /> },
    {
      name: "Actions",
      isActions: true,
      cell: (key) =>
        works(key, Date.now()) && (
          <>
            <Button look="quiet" onClick={() => onChange(key)}>
              Edit<span className="hidden"> {key.label}</span>
            </Button>
            <Button look="quiet" onClick={() => onRotate(key)}>
              Rotate<span className="hidden"> {key.label}</span>
            </Button>
            <Button look="quiet" onClick={() => onRevoke(key)}>
              Revoke<span className="hidden"> {key.label}</span>
            </Button>
          </>
        ),
    },
  ];
  return <Table caption="API keys" columns={columns} rows={keys} />;
}

function KeyName({ apiKey: { id, label, keyId, createdAt } }: { readonly apiKey: ApiKey }) {
  return (
    <div className="lines">
      <strong className="clamped">{label}</strong>
      <code className="soft key-id">sk_live_{keyId}_…</code>
      <span className="soft">
        Created <Time at={createdAt} />
      </span>
      <span>
        <Link to="/requests" search={{ keyId: id }}>
          What did this key do?<span className="hidden"> {label}</span>
        </Link>
      </span>
    </div>
  );
}

function Status({ state }: { readonly state: KeyState }) {
  return <Badge tone={TONES[state]}>{TEXTS[state]}</Badge>;
}

function Scopes({ apiKey: { scopes } }: { readonly apiKey: ApiKey }) {
  if (scopes.length === 0) return <span className="soft">None: it may do nothing</span>;
  return (
    <ul className="tags key-scopes">
      {scopes.map((scope) => (
        <li key={scope} title={scope}>
          {nameOf(scope)}
        </li>
      ))}
    </ul>
  );
}

function TimeOr({ at, none }: { readonly at: string | null; readonly none: string }) {
  return at === null ? <span className="soft">{none}</span> : <Time at={at} />;
}
