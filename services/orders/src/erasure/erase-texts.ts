// Computes what an erasure leaves of JSON that contains a customer or an order: events, timelines and recorded responses
// (interface §20). Texts are changed as texts, so that what stays keeps every digit. The data map says which fields are erased,
// and how. Pure.
import { dataMap, type Erasure } from "@tradepost/data-map";
import { elementTexts, memberTexts } from "@tradepost/json";

export const ERASED_NAME = "Erased customer";

/** Returns what is left of a member's JSON text; null leaves the member out. */
type Rule = (text: string) => string | null;

const RULE_OF: Partial<Record<Erasure, Rule>> = {
  "set to null": () => null,
  renamed: () => JSON.stringify(ERASED_NAME),
  "country kept": erasedAddress,
};

/** The field of the API for a column: `customer_note` is `customerNote`. */
export function fieldOf(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Columns that are not fields, such as the words of the search, have no rule. */
function rulesOf(columns: Readonly<Record<string, Erasure>>): Record<string, Rule> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([column, erasure]) => {
      const rule = RULE_OF[erasure];
      return rule === undefined ? [] : [[fieldOf(column), rule]];
    }),
  );
}

const OF_CUSTOMER = rulesOf(dataMap.orders.customers.person);
const OF_ORDER = rulesOf(dataMap.orders.orders.person);
const OF_REFUND: Record<string, Rule> = { reason: () => null };

// An address without a street and a town would break clients that read both.
const COUNTRY_CHARACTERS_MAX = 60;

/** Returns the address with its country only; null if it has none. */
export function erasedAddress(text: string): string | null {
  const country: unknown = JSON.parse(memberTexts(text).get("country") ?? "null");
  if (typeof country !== "string" || country.length > COUNTRY_CHARACTERS_MAX) return null;
  return JSON.stringify({ line1: "", city: "", country });
}

/** The data of an event of the customer, or of one of their orders. */
export function erasedEvent(data: string): string {
  return erased(data, {
    customer: (text) => erased(text, OF_CUSTOMER),
    order: (text) => erased(text, OF_ORDER),
    refund: (text) => erased(text, OF_REFUND),
  });
}

/** The details of a timeline entry. References stay. */
export function erasedDetails(details: string): string {
  return erased(details, { reason: () => null, refund: (text) => erased(text, OF_REFUND) });
}

/** A recorded response, `{status, headers, body}`. The data of other customers in it stays. */
export function erasedResponse(answer: string, customerId: string): string {
  const ofResource: Rule = (text) => {
    const ids = memberTexts(text);
    if (ids.get("customerId") === JSON.stringify(customerId)) return erased(text, OF_ORDER);
    return ids.get("id") === JSON.stringify(customerId) ? erased(text, OF_CUSTOMER) : text;
  };
  const ofResult: Rule = (text) => erased(text, { data: ofResource });
  const ofData: Rule = (text) =>
    text.startsWith("[") ? `[${elementTexts(text).map(ofResult).join(",")}]` : ofResource(text);
  return erased(answer, { body: (text) => erased(text, { data: ofData }) });
}

/** The text of an object without the members that the rules remove. Any other value stays as it is. */
function erased(text: string, rules: Readonly<Record<string, Rule>>): string {
  if (!text.startsWith("{")) return text;
  const members = [...memberTexts(text)].flatMap(([name, member]) => {
    const left = Object.hasOwn(rules, name) ? rules[name]?.(member) : member;
    return typeof left === "string" ? [`${JSON.stringify(name)}:${left}`] : [];
  });
  return `{${members.join(",")}}`;
}
