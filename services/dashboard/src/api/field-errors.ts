// Assigns the details of an error to the fields of a form. Pure.
import type { ErrorDetail } from "@tradepost/client/operations";

export interface FieldErrors<Name extends string> {
  readonly byField: Readonly<Partial<Record<Name, string>>>;
  /** The details without a field on the screen, to be shown above the form. */
  readonly rest: readonly ErrorDetail[];
}

/** A detail at `scopes[1]` or `scopes.x` belongs to the field `scopes`. */
export function fieldErrors<Name extends string>(
  details: readonly ErrorDetail[],
  names: readonly Name[],
): FieldErrors<Name> {
  const byField: Partial<Record<Name, string>> = {};
  const rest: ErrorDetail[] = [];
  for (const detail of details) {
    const name = names.find(
      (one) =>
        detail.path === one || (/^[.[]/.test(detail.path.slice(one.length)) && detail.path.startsWith(one)),
    );
    if (name === undefined) rest.push(detail);
    else byField[name] = [byField[name], sentence(detail.message)].filter(Boolean).join(" ");
  }
  return { byField, rest };
}

/** `must be in the future` becomes `Must be in the future.` */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
