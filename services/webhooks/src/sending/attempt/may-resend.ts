// Decides whether a request that was lost with its connection is sent again at once. Pure.
import type { Result } from "./exchange.ts";

// Servers close connections that were idle for some whole seconds.
const IDLE_MS_MIN = 1_000;

/**
 * A receiver closes an idle connection by right, and the request may be on its way at that moment. Such a request is sent once
 * more, over a new connection and within the same attempt: receivers recognise a delivery that arrives twice by its id. A
 * receiver that resets connections for another reason resets the new one too. `idleMs` is null for a new connection.
 */
export function mayResend({ outcome, isAnswered }: Result, idleMs: number | null): boolean {
  return outcome === "connection_reset" && !isAnswered && idleMs !== null && idleMs >= IDLE_MS_MIN;
}
