// The values of the reader in the examples: the address of the shop, and the beginning of a key.
import { quoted } from "../../api/curl.ts";
import { useIsAllowed } from "../../data/me.ts";
import { useList } from "../../data/operations.ts";
import { TextLink } from "../../ui/button.tsx";

/** `key` is the visible beginning of the shop's newest key that works. Nobody can read the rest. */
export function useOwnValues() {
  const isAdmin = useIsAllowed({ role: "admin" });
  const { items = [] } = useList("listApiKeys", { limit: 100 }, { isAllowed: isAdmin });
  const works = ({ revokedAt, expiresAt }: (typeof items)[number]) =>
    revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());
  const keyId = items.find(works)?.keyId;
  return { origin: location.origin, key: keyId === undefined ? "sk_live_…" : `sk_live_${keyId}_…` };
}

/** The commands that forward webhooks to a URL of the reader's machine. */
export function listenCommands(origin: string, key: string, url: string): string {
  return `export TRADEPOST_URL=${origin} TRADEPOST_API_KEY='${key}'
npx -p ${origin}/client.tgz tradepost listen --forward-to ${quoted(url)}`;
}

export function KeyNote() {
  const isAdmin = useIsAllowed({ role: "admin" });
  return (
    <p className="note-small">
      The examples show the beginning of a key. The whole one was shown when it was created;{" "}
      {isAdmin ? (
        <TextLink to="/ai-integrations" search={{ create: true }} text="create another" />
      ) : (
        "an admin can create another"
      )}{" "}
      for each program.
    </p>
  );
}

export function mcpConfiguration(origin: string, key: string): string {
  const tradepost = { url: `${origin}/mcp`, headers: { Authorization: `Bearer ${key}` } };
  return JSON.stringify({ mcpServers: { tradepost } }, null, 2);
}
