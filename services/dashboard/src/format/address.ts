// Postal addresses. The platform defines only a street and a city; the other fields here are common in shops. Fields with other
// names are kept. Pure.
import type { DataOf } from "@tradepost/client/operations";
import { countryName } from "./codes.ts";
import type { Shop } from "./shop.ts";

type Order = DataOf<"getOrder">;
export type Address = NonNullable<Order["shippingAddress"]>;

/** The fields of the form, in the order of an envelope. */
export const ADDRESS_FIELDS = [
  { name: "name", label: "Name" },
  { name: "line1", label: "Street and number" },
  { name: "line2", label: "Second line" },
  { name: "postalCode", label: "Postal code" },
  { name: "city", label: "City" },
  { name: "region", label: "Region" },
  { name: "country", label: "Country" },
] as const;

type AddressField = (typeof ADDRESS_FIELDS)[number]["name"];
export type AddressTexts = Readonly<Record<AddressField, string>>;

const KNOWN: ReadonlySet<string> = new Set(ADDRESS_FIELDS.map(({ name }) => name));

export function senderLines({ name, address }: Shop): string[] {
  const { phone, email, taxId, ...place } = address ?? {};
  return [...addressLines({ name, line1: "", city: "", ...place }), phone, email, taxId].filter(
    (line) => line !== undefined,
  );
}

/** Formats the address as on an envelope. Fields with other names follow with their names. */
export function addressLines(address: Address): string[] {
  const texts = textsOf(address);
  const town = [texts.postalCode, texts.city].filter(Boolean).join(" ");
  const others = Object.entries(address).flatMap(([name, value]) =>
    KNOWN.has(name) && typeof value === "string" ? [] : [`${name}: ${shown(value)}`],
  );
  const country = countryName(texts.country) ?? texts.country;
  return [texts.name, texts.line1, texts.line2, town, texts.region, country, ...others].filter(Boolean);
}

export function addressesOf(orders: readonly Pick<Order, "shippingAddress" | "billingAddress">[]): Address[] {
  const all = orders.flatMap(({ shippingAddress, billingAddress }) => [shippingAddress, billingAddress]);
  const byText = new Map(all.flatMap((one) => (one === undefined ? [] : [[textOf(one), one] as const])));
  return [...byText.values()];
}

export function textOf(address: Address): string {
  return addressLines(address).join(", ");
}

export function textsOf(address: Address | undefined): AddressTexts {
  const texts = ADDRESS_FIELDS.map(({ name }) => {
    const value: unknown = address?.[name];
    return [name, typeof value === "string" ? value : ""];
  });
  // Every field has a text.
  return Object.fromEntries(texts) as AddressTexts;
}

/** Returns the address with the texts of the form and its other fields unchanged; null if all fields of the form are empty. */
export function withTexts(address: Address | undefined, texts: AddressTexts): Address | null {
  const given = Object.entries(texts).filter(([, text]) => text.trim() !== "");
  if (given.length === 0) return null;
  const others = Object.entries(address ?? {}).filter(
    ([name, value]) => !KNOWN.has(name) || typeof value !== "string",
  );
  return {
    ...Object.fromEntries(others),
    // Required fields. If they are empty, the platform reports it at the field.
    line1: "",
    city: "",
    ...Object.fromEntries(given.map(([name, text]) => [name, text.trim()])),
  };
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
