// Names the queues of the retry schedule; a queue's name carries its wait, so another schedule declares other queues
// and the old ones drain by themselves (contract §8). Pure.
import type { Wait } from "./delivery.ts";

/** `webhooks.retry.5m` for a wait of 5 minutes. */
export function retryQueue(waitLabel: string): string {
  return `webhooks.retry.${waitLabel}`;
}

/** Each queue once, with its wait; a schedule may hold the same wait several times. */
export function retryQueues(schedule: readonly Wait[]): { name: string; waitMs: number }[] {
  const waits = new Map(schedule.map(({ label, ms }) => [retryQueue(label), ms]));
  return [...waits].map(([name, waitMs]) => ({ name, waitMs }));
}
