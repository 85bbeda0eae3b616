// The reader's own values for the examples.
import { useIsAllowed } from "../../data/me.ts";
import { useList } from "../../data/use-list.ts";

interface OwnValues {
  /** The address of the gateway. */
  readonly origin: string;
  /** The visible beginning of the shop's newest key that works. Nobody can read the rest. */
  readonly key: string;
}

export function useOwnValues(): OwnValues {
  const isAdmin = useIsAllowed({ role: "admin" });
  const { items = [] } = useList("listApiKeys", { limit: 100 }, { isAllowed: isAdmin });
  const works = ({ revokedAt, expiresAt }: (typeof items)[number]) =>
    revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
  const keyId = items.find(works)?.keyId;
  return { origin: location.origin, key: keyId === undefined ? "sk_live_…" : `sk_live_${keyId}_…` };
}
