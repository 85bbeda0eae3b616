// The API keys of the shop's programs and assistants: create one, see its rights and last use, replace it, end it.
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useList } from "../../data/operations.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/change-dialogs.tsx";
import { type Column, EmptyState, ListView, Table } from "../../ui/list.tsx";
import { BehindTheScreen, Screen } from "../../ui/screen.tsx";
import { Badge, Time } from "../../ui/value.tsx";
import { ChangeKeyDialog, CreateKeyDialog, RotateKeyDialog } from "./key-dialogs.tsx";
import { type ApiKey, nameOf, stateOf, works } from "./keys.ts";
import { type NewSecret, SecretDialog } from "./secret-dialog.tsx";

const QUERY = { limit: 100 };

type KeyDialog = "change" | "rotate" | "revoke";

/** The open dialog. The form for a new key is not included, because it has an address. */
type Open =
  | { readonly dialog: KeyDialog; readonly key: ApiKey }
  | { readonly dialog: "secret"; readonly secret: NewSecret }
  | null;

export default function AiIntegrations() {
  const { create = false } = useSearch({ from: "/app/ai-integrations" });
  const navigate = useNavigate({ from: "/ai-integrations" });
  const [open, setOpen] = useState<Open>(null);
  const setCreating = (isOpen: boolean) =>
    navigate({ search: ({ create: _, ...rest }) => (isOpen ? { ...rest, create: true as const } : rest) });
  const showSecret = (secret: NewSecret) => setOpen({ dialog: "secret", secret });
  const close = () => setOpen(null);
  return (
    <Screen
      title="API keys"
      subtitle="AI integrations"
      intro="API keys let programs and assistants work in this shop. Each key does only what its scopes permit, and none manages staff, keys or subscriptions."
      action={<Button text="Create key" icon="plus" look="primary" onClick={() => setCreating(true)} />}
    >
      <Keys onOpen={(dialog, key) => setOpen({ dialog, key })} />
      <BehindTheScreen operation="listApiKeys" input={{ query: QUERY }} />
      {create && (
        <CreateKeyDialog
          onClose={() => setCreating(false)}
          onCreated={async (secret) => {
            await setCreating(false);
            showSecret(secret);
          }}
        />
      )}
      {open?.dialog === "change" && <ChangeKeyDialog apiKey={open.key} onClose={close} />}
      {open?.dialog === "rotate" && (
        <RotateKeyDialog apiKey={open.key} onClose={close} onRotated={showSecret} />
      )}
      {open?.dialog === "revoke" && (
        <Confirm
          title={`Revoke “${open.key.label}”?`}
          action="Revoke key"
          operation="revokeApiKey"
          input={{ path: { id: open.key.id } }}
          stale={["listApiKeys"]}
          done={`The key “${open.key.label}” is revoked.`}
          onClose={close}
        >
          <p>
            Requests with this key are refused from now on. This cannot be undone.{" "}
            {open.key.lastUsedAt === null ? (
              "It was never used."
            ) : (
              <>
                It was last used <Time at={open.key.lastUsedAt} />.
              </>
            )}
          </p>
        </Confirm>
      )}
      {open?.dialog === "secret" && <SecretDialog secret={open.secret} onStored={close} />}
    </Screen>
  );
}

interface KeysProps {
  readonly onOpen: (dialog: KeyDialog, key: ApiKey) => void;
}

function Keys(props: KeysProps) {
  const { all = false } = useSearch({ from: "/app/ai-integrations" });
  const navigate = useNavigate({ from: "/ai-integrations" });
  const list = useList("listApiKeys", QUERY);
  const working = list.items?.filter((key) => works(key, Date.now()));
  const ended = (list.items?.length ?? 0) - (working?.length ?? 0);
  return (
    <>
      <ListView
        list={{ ...list, items: all ? list.items : working }}
        empty={
          <EmptyState
            title="No key works yet"
            text="A key connects one program or assistant, so that you can see what it does and end it without touching the others. Create one, choose what it may do, and paste it where the program asks for it."
          />
        }
      >
        {(keys) => <KeyTable keys={keys} {...props} />}
      </ListView>
      <div className="list-foot">
        {ended > 0 && (
          <label className="check">
            <input
              type="checkbox"
              checked={all}
              onChange={() => navigate({ search: all ? {} : { all: true }, replace: true })}
            />
            Show revoked and expired keys <span className="number soft">({ended})</span>
          </label>
        )}
      </div>
    </>
  );
}

function KeyTable({ keys, onOpen }: KeysProps & { readonly keys: readonly ApiKey[] }) {
  const columns: Column<ApiKey>[] = [
    {
      name: "Key",
      cell: ({ id, label }) => (
        <Link to="/requests" search={{ keyId: id }}>
          <span className="hidden">What did this key do? </span>
          <strong className="clamped">{label}</strong>
        </Link>
      ),
    },
    { name: "Id", isMinor: true, cell: ({ keyId }) => <code className="soft">{keyId}</code> },
    { name: "Status", cell: (key) => <Badge {...stateOf(key, Date.now())} /> },
    { name: "Scopes", cell: (key) => <Scopes apiKey={key} /> },
    { name: "Created", isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { name: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
    { name: "Expires", cell: ({ expiresAt }) => <Time at={expiresAt} /> },
    {
      name: "Actions",
      isActions: true,
      cell: (key) =>
        works(key, Date.now()) && (
          <>
            <Button text="Edit" look="quiet" onClick={() => onOpen("change", key)} about={key.label} />
            <Button text="Rotate" look="quiet" onClick={() => onOpen("rotate", key)} about={key.label} />
            <Button text="Revoke" look="quiet" onClick={() => onOpen("revoke", key)} about={key.label} />
          </>
        ),
    },
  ];
  return <Table caption="API keys" columns={columns} rows={keys} />;
}

function Scopes({ apiKey: { scopes } }: { readonly apiKey: ApiKey }) {
  if (scopes.length === 0) return <span className="soft">None: it may do nothing</span>;
  return (
    <span title={scopes.map(nameOf).join(", ")}>
      <code className="soft">{scopes.join(" ")}</code>
    </span>
  );
}
