// The values of the reader in the examples: the address of the shop, and the beginning of a key.
import { Link } from "@tanstack/react-router";
import { useIsAllowed } from "../../data/me.ts";
import { useList } from "../../data/use-list.ts";

/** `key` is the visible beginning of the shop's newest key that works. Nobody can read the rest. */
export function useOwnValues() {
  const isAdmin = useIsAllowed({ role: "admin" });
  const { items = [] } = useList("listApiKeys", { limit: 100 }, { isAllowed: isAdmin });
  const works = ({ revokedAt, expiresAt }: (typeof items)[number]) =>
    revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
  const keyId = items.find(works)?.keyId;
  return { origin: location.origin, key: keyId === undefined ? "sk_live_…" : `sk_live_${keyId}_…` };
}

export function KeyNote() {
  const isAdmin = useIsAllowed({ role: "admin" });
  return (
    <p className="note-small">
      The examples show the beginning of a key. The whole one was shown when it was created;{" "}
      {isAdmin ? (
        <Link to="/ai-integrations" search={{ create: true }}>
          create another
        </Link>
      ) : (
        "an admin can create another"
      )}{" "}
      for each program.
    </p>
  );
}
