// Parses command-line arguments.
import { InvalidArgumentError } from "commander";
import type { Kysely } from "kysely";
import type { Addresses, FoundEnvironment, ServiceName } from "./addresses.ts";
import type { DatabaseOptions, Pool, TablesOf } from "./with-database.ts";

export function uuid(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))
    throw new InvalidArgumentError("It must be a UUID.");
  return text.toLowerCase();
}

export function time(text: string): Date {
  const date = new Date(text);
  // Date would also accept texts such as 5.
  if (!/^\d{4}-\d{2}-\d{2}(T|$)/.test(text) || Number.isNaN(date.getTime()))
    throw new InvalidArgumentError("It must be an ISO 8601 time.");
  return date;
}

export function positiveNumber(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError("It must be a positive number.");
  return number;
}

export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most)
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    return number;
  };
}

/** The arguments of every command: the addresses, the one way to print its result, and how it goes on without a server. */
export interface Operator {
  addresses(): Addresses;
  /** Does `work` in the database of a service. */
  on<Service extends ServiceName, Result>(
    service: Service,
    work: (db: Kysely<TablesOf[Service]>, pool: Pool) => Promise<Result>,
    options?: DatabaseOptions,
  ): Promise<Result>;
  /** Leaves out databases that cannot be reached. */
  onEach<Service extends ServiceName, Result>(
    services: readonly Service[],
    work: (db: Kysely<Record<string, never>>, service: Service) => Promise<Result>,
    options?: DatabaseOptions,
  ): Promise<Result[]>;
  environment(service: ServiceName): FoundEnvironment;
  print(json: unknown, text: string): void;
  /** On standard error, with and without --json. */
  note(text: string): void;
  /** Makes the command's exit status 1, although it has printed its result. */
  fail(): void;
  /**
   * Resolves to null if the work needs a server that cannot be used. `print` then names the server, in the text or, with --json, on
   * standard error, and the exit status is 2.
   */
  ifReachable<Result>(work: Promise<Result>): Promise<Result | null>;
}
