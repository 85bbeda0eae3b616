// The settings of a tenant's shop, for people's screens and papers (interface §23).
import { currency, email, languageTag, name, text, timeZone } from "@tradepost/http";
import { z } from "zod";
import type { Tenant } from "../../tables.ts";
import { findTenant } from "./tenant-store.ts";

const address = {
  line1: text(255),
  line2: text(255),
  postalCode: text(32),
  city: text(255),
  country: text(255).describe("A code of ISO 3166, or a name"),
  phone: text(50),
  email,
  taxId: text(100).describe("The number under which the shop pays taxes"),
};

export const shopSettings = {
  currency: currency.describe("The ISO 4217 code that forms start with. An order without one is in USD"),
  timeZone: timeZone.describe("The IANA time zone whose days figures have, such as `Europe/Lisbon`"),
  locale: languageTag.describe("The BCP 47 tag by which numbers and dates are written: `de-AT`"),
};

const shopName = name(200).describe("The tenant's name");
const ADDRESS = "The sender on slips and receipts; null without one";

export const shop = z
  .strictObject({
    name: shopName,
    ...shopSettings,
    address: z.strictObject(address).partial().nullable().describe(ADDRESS),
  })
  .meta({ id: "Shop", description: "The settings of the tenant's shop." });

export type Shop = z.output<typeof shop>;

export const shopChange = z
  .strictObject({
    name: shopName,
    ...shopSettings,
    address: z.strictObject(nullableFields(address)).partial().nullable().describe(ADDRESS),
  })
  .partial();

export type ShopChange = z.output<typeof shopChange>;

function nullableFields<Fields extends Record<string, z.ZodType>>(fields: Fields) {
  type Nullable = { [Name in keyof Fields]: z.ZodNullable<Fields[Name]> };
  return Object.fromEntries(
    Object.entries(fields).map(([field, schema]) => [field, schema.nullable()]),
    // The cast is correct: each field became nullable.
  ) as Nullable;
}

export function changedShop(before: Shop, change: ShopChange): Shop {
  const { name = before.name, currency = before.currency, timeZone = before.timeZone } = change;
  const { locale = before.locale, address = before.address } = change;
  const present = Object.entries(address ?? {}).filter(
    (field): field is [string, string] => field[1] !== null,
  );
  return {
    name,
    currency,
    timeZone,
    locale,
    address: present.length === 0 ? null : Object.fromEntries(present),
  };
}

/** `locks` makes concurrent changes wait. */
export async function findShop(tenant: Tenant, { locks = false } = {}): Promise<Shop | null> {
  const found = await tenant.db
    .selectFrom("tenants")
    .select(["name", "currency", "time_zone as timeZone", "locale", "address"])
    .where("id", "=", tenant.tenantId)
    .$if(locks, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
  return found ?? null;
}

export type DescribedTenant = NonNullable<Awaited<ReturnType<typeof describeTenant>>>;

export async function describeTenant(tenant: Tenant) {
  const [found, shop] = await Promise.all([findTenant(tenant), findShop(tenant)]);
  return found && shop && { ...found, shop };
}

export async function updateShop(
  tenant: Tenant,
  { name, currency, timeZone, locale, address }: Shop,
): Promise<void> {
  await tenant.db
    .updateTable("tenants")
    .set({ name, currency, time_zone: timeZone, locale, address: address && JSON.stringify(address) })
    .where("id", "=", tenant.tenantId)
    .execute();
}
