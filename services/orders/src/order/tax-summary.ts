// The taxes of an order's lines, summed by name and rate (interface §4). Pure.
import { numberOf, unitsOf } from "./money.ts";

export interface TaxLine {
  readonly name: string;
  readonly rate: number;
  readonly amount: number;
}

export type SummedTax = ReturnType<typeof sumTaxes>[number];

export function sumTaxes(taxes: readonly TaxLine[]) {
  const byTax = Map.groupBy(taxes, ({ name, rate }) => `${rate} ${name}`);
  return [...byTax.values()].map((same) => ({
    name: same[0]?.name ?? "",
    rate: same[0]?.rate ?? 0,
    amount: same.reduce((total, { amount }) => total + unitsOf(amount), 0n),
  }));
}

export function shownSummary(taxes: readonly SummedTax[]): TaxLine[] | undefined {
  if (taxes.length === 0) return undefined;
  return taxes.map(({ amount, ...tax }) => ({ ...tax, amount: numberOf(amount) }));
}
