// Finds the listener of an earlier run, or creates one.
import { hostname } from "node:os";
import type { Tradepost } from "../../create-client.ts";
import type { BodyOf, ItemOf } from "../../operation-types.ts";
import type { Secrets } from "./secrets.ts";

export interface OpenListener {
  readonly id: string;
  readonly name: string;
  readonly events: readonly string[];
  readonly isReused: boolean;
  readonly waiting: number;
  readonly secret: string | null;
}

interface Wanted {
  readonly target: URL;
  readonly events?: readonly string[];
  readonly name?: string;
  readonly printSecret?: boolean;
}

type Listener = ItemOf<"listListeners">;

/**
 * Finds or creates the listener. The platform shows a secret once, so it is kept on this machine. With `--print-secret`, a listener whose
 * secret is not known here is not used, and another one is created.
 */
export async function openListener(
  client: Tradepost,
  secrets: Secrets,
  wanted: Wanted,
): Promise<OpenListener> {
  const events = wanted.events ?? (await client.webhookEvents.types()).map(({ type }) => type);
  const name = wanted.name ?? nameOf(wanted.target);
  for await (const listener of client.listeners.list()) {
    if (listener.name !== name || !isSameSet(listener.events, events)) continue;
    const secret = wanted.printSecret ? secrets.read(listener.id) : null;
    if (secret !== undefined) return { ...listener, isReused: true, waiting: waitingOf(listener), secret };
  }
  secrets.prepare();
  const created = await client.listeners.create({ name, events } as BodyOf<"createListener">);
  if (created.signingSecret !== null) secrets.write(created.id, created.signingSecret);
  const secret = wanted.printSecret ? created.signingSecret : null;
  return { ...created, isReused: false, waiting: 0, secret };
}

/** The name differs for each target on a machine, and for each machine with the same target. */
function nameOf({ host, pathname }: URL): string {
  return `${hostname()} → ${host}${pathname}`.slice(0, 200);
}

function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  return new Set(left).size === new Set(right).size && left.every((type) => right.includes(type));
}

export function waitingOf({
  waiting: { pending, retrying, leased, paused },
}: Pick<Listener, "waiting">): number {
  return pending + retrying + leased + paused;
}
