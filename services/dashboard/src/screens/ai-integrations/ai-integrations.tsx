// The API keys of the shop's programs and assistants: create one, see its rights and last use, replace it, end it.

import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useList } from "../../data/use-list.ts";
import { BehindTheScreen } from "../../ui/behind-the-screen.tsx";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { PlusIcon } from "../../ui/icons.tsx";
import { MoreButton } from "../../ui/more-button.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ListSkeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { ChangeKeyDialog } from "./change-key-dialog.tsx";
import { CreateKeyDialog } from "./create-key-dialog.tsx";
import { type ApiKey, works } from "./key-state.ts";
import { KeyTable } from "./key-table.tsx";
import { RotateKeyDialog } from "./rotate-key-dialog.tsx";
import { type NewSecret, SecretDialog } from "./secret-dialog.tsx";

const QUERY = { limit: 100 };

/** The open dialog. The form for a new key is not included, because it has an address. */
type Open =
  | { readonly dialog: "change" | "rotate" | "revoke"; readonly key: ApiKey }
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
      title="AI integrations"
      subtitle="API keys"
      intro="API keys let programs and assistants work in this shop. Each key does only what its scopes permit, and none manages staff, keys or subscriptions."
      action={
        <Button look="primary" onClick={() => setCreating(true)}>
          <PlusIcon /> Create key
        </Button>
      }
    >
      <Keys
        onChange={(key) => setOpen({ dialog: "change", key })}
        onRotate={(key) => setOpen({ dialog: "rotate", key })}
        onRevoke={(key) => setOpen({ dialog: "revoke", key })}
      />
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
            <LastUse at={open.key.lastUsedAt} />
          </p>
        </Confirm>
      )}
      {open?.dialog === "secret" && <SecretDialog secret={open.secret} onStored={close} />}
    </Screen>
  );
}

interface KeysProps {
  readonly onChange: (key: ApiKey) => void;
  readonly onRotate: (key: ApiKey) => void;
  readonly onRevoke: (key: ApiKey) => void;
}

function Keys(actions: KeysProps) {
  const { all = false } = useSearch({ from: "/app/ai-integrations" });
  const navigate = useNavigate({ from: "/ai-integrations" });
  const list = useList("listApiKeys", QUERY);
  if (list.items === undefined)
    return list.error === null ? (
      <ListSkeleton />
    ) : (
      <ErrorNote failure={list.error} onRetry={() => list.refetch()} />
    );
  const now = Date.now();
  const ended = list.items.filter((key) => !works(key, now)).length;
  const shown = all ? list.items : list.items.filter((key) => works(key, now));
  return (
    <>
      {shown.length > 0 ? <KeyTable keys={shown} {...actions} /> : <NoKeys />}
      <div className="list-foot">
        <MoreButton list={list} />
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

function NoKeys() {
  return (
    <EmptyState title="No key works yet">
      <p>
        A key connects one program or assistant, so that you can see what it does and end it without touching
        the others. Create one, choose what it may do, and paste it where the program asks for it.
      </p>
    </EmptyState>
  );
}

function LastUse({ at }: { readonly at: string | null }) {
  if (at === null) return "It was never used.";
  return (
    <>
      It was last used <Time at={at} />.
    </>
  );
}
