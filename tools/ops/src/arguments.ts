// Reads what stands on the command line, and says what is wrong with it.
import { InvalidArgumentError } from "commander";

export function uuid(given: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given))
    throw new InvalidArgumentError("It is no UUID.");
  return given.toLowerCase();
}

export function time(given: string): Date {
  const date = new Date(given);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError("It is no ISO 8601 time.");
  return date;
}

export function positiveNumber(given: string): number {
  const number = Number(given);
  if (!(number > 0)) throw new InvalidArgumentError("It is no positive number.");
  return number;
}
