// Reads a dashboard token. The platform verifies tokens; this only decides when to get the next one. Pure.

export interface Token {
  readonly token: string;
  readonly expiresAt: string;
}

// Longer than a request takes, and shorter than the 15 minutes of a token.
const EARLY_MS = 60_000;

/** True if the token is about to expire: a request with it might be refused. */
export function isStale({ expiresAt }: Token, now: number): boolean {
  return Date.parse(expiresAt) - EARLY_MS <= now;
}

export function userOf({ token }: Pick<Token, "token">): string | undefined {
  try {
    const payload = token.split(".")[1] ?? "";
    return (JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))) as { sub?: string }).sub;
  } catch {
    return undefined;
  }
}
