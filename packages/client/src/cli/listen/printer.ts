// Writes to the terminal: notes for people to standard error, and one line for each delivery to standard output.
import type { AttemptResult, LeasedDelivery } from "./forward.ts";

export interface Printer {
  /** Aborts when nobody reads standard output any more, as with `| head`. */
  readonly closed: AbortSignal;
  note(text: string): void;
  delivery(delivery: LeasedDelivery, result: AttemptResult): void;
}

/** With `isJson`, each delivery is a line of JSON. */
export function createPrinter({ isJson }: { isJson: boolean }): Printer {
  const closed = new AbortController();
  process.stdout.on("error", () => closed.abort());
  process.stderr.on("error", () => undefined);
  return {
    closed: closed.signal,
    note: (text) => void process.stderr.write(`${text}\n`),
    delivery: (delivery, result) => {
      const line = isJson ? jsonLine(delivery, result) : textLine(delivery, result);
      process.stdout.write(`${line}\n`);
    },
  };
}

function jsonLine({ deliveryId, attempt, headers }: LeasedDelivery, result: AttemptResult): string {
  return JSON.stringify({ deliveryId, attempt, type: typeOf(headers), ...result });
}

function textLine({ deliveryId, attempt, headers }: LeasedDelivery, result: AttemptResult): string {
  const time = new Date().toTimeString().slice(0, 8);
  const status = "statusCode" in result ? String(result.statusCode) : result.outcome;
  const facts = [deliveryId, `${result.durationMs} ms`, ...(attempt > 1 ? [`attempt ${attempt}`] : [])];
  return `${time}  ${status.padEnd(3)}  ${typeOf(headers)}  ${facts.join("  ")}`;
}

function typeOf(headers: LeasedDelivery["headers"]): string {
  return (headers as Record<string, string>)["X-service-Event"] ?? "";
}
