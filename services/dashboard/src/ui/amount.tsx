// An amount of money: the number first and the currency small after it. In the text, as it is read and copied, the currency is first.
import { money } from "../format/money.ts";
import "./amount.css";

export function Amount({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  const text = money(amount, currency);
  const number = text.replace(currency, "").trim();
  return (
    <span className="amount">
      <small>{currency}</small> <span className="number">{number}</span>
    </span>
  );
}
