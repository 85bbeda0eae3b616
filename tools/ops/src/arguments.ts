// Parses command-line arguments.
import { InvalidArgumentError } from "commander";

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
