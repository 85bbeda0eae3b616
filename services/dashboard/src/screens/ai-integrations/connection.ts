// The texts that the owner of a new key pastes into other programs. Pure.

/** The lines of a `.env` file, with the names that the client and the command line read. */
export function environmentLines(origin: string, key: string): string {
  return `TRADEPOST_URL=${origin}\nTRADEPOST_API_KEY=${key}`;
}

/** The configuration that most clients of the Model Context Protocol read. */
export function mcpConfiguration(origin: string, key: string): string {
  const tradepost = { url: `${origin}/mcp`, headers: { Authorization: `Bearer ${key}` } };
  return JSON.stringify({ mcpServers: { tradepost } }, null, 2);
}

/** A request that responds with the key's label, scopes and shop. */
export function proof(origin: string, key: string): string {
  return `curl -sS ${origin}/v1/me -H 'Authorization: Bearer ${key}'`;
}
