// Names the queues of the retry schedule. A queue's name contains its wait, so a changed schedule declares new queues, and
// the old ones empty themselves (interface §8). Pure.
import type { Wait } from "./lifecycle.ts";

/** `webhooks.retry.5m` for a wait of 5 minutes. */
export function retryQueue(waitLabel: string): string {
  return `webhooks.retry.${waitLabel}`;
}

/** Each queue once; a schedule may contain the same wait several times. */
export function retryQueues(schedule: readonly Wait[]): { name: string; waitMs: number }[] {
  const waits = new Map(schedule.map(({ label, ms }) => [retryQueue(label), ms]));
  return [...waits].map(([name, waitMs]) => ({ name, waitMs }));
}
