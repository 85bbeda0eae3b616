// The settings of the tenant's shop (interface §23).
import type { ApiClient } from "@tradepost/testing";
import { createTenant } from "../src/operate.ts";
import { useGateway } from "./support/test-gateway.ts";

const MERGE = { "content-type": "application/merge-patch+json" };
const ADDRESS = {
  ...{ line1: "Kirchgasse 5", line2: "Hof", postalCode: "8001", city: "Zürich", country: "CH" },
  ...{ phone: "+41 44 123 45 67", email: "shop@example.com", taxId: "CHE-123.456.789" },
};

const gateway = await useGateway();

const tenant = await gateway.createTenant();

describe("the shop", () => {
  const shopOf = async (client: ApiClient) => (await client.get("/v1/shop")).body.data;
  const merge = (patch: object) =>
    tenant.owner.send("PATCH", "/v1/shop", { headers: MERGE, body: JSON.stringify(patch) });
  const faultsOf = async (body: unknown) => {
    const { status, body: failure } = await tenant.owner.patch("/v1/shop", body);
    expect(status).toBe(422);
    return failure.error.details;
  };

  test("of a new tenant has its name and defaults, and others do not see it", async () => {
    const other = await gateway.createTenant();
    const defaults = { currency: "USD", timeZone: "UTC", locale: "en", address: null };
    expect(await shopOf(other.owner)).toEqual({ name: expect.any(String), ...defaults });
    await other.owner.patch("/v1/shop", { name: "Other", currency: "JPY" });
    expect(await shopOf(tenant.owner)).toMatchObject(defaults);
  });

  test("has the currency, time zone and locale that the operator chose", async () => {
    const slug = "chosen";
    const base = { slug, name: "Chosen", ownerEmail: "owner@chosen.example", modules: ["crm" as const] };
    const wrong = createTenant(gateway.db, { ...base, currency: "EURO", timeZone: "Mars", locale: "de_CH" });
    await expect(wrong).rejects.toThrow(
      "currency: must be an ISO 4217 currency code in use; timeZone: must be the name of a time zone, like Europe/Lisbon; locale: must be a language tag: en, de-AT",
    );
    const settings = { currency: "CHF", timeZone: "Europe/Zurich", locale: "de-ch" };
    const { owner } = await createTenant(gateway.db, { ...base, ...settings });
    const { client } = await gateway.signIn(owner.email, owner.password);
    expect(await shopOf(client)).toEqual({
      ...{ name: "Chosen", currency: "CHF", timeZone: "Europe/Zurich", locale: "de-CH", address: null },
    });
  });

  test("is changed field by field, and each change is audited once", async () => {
    const name = "Töpferei";
    const changed = await tenant.owner.patch("/v1/shop", { name, locale: "DE-ch", address: ADDRESS });
    expect(changed.body.data).toMatchObject({ name, currency: "USD", locale: "de-CH", address: ADDRESS });
    expect(await shopOf(tenant.owner)).toEqual(changed.body.data);
    expect((await tenant.owner.get("/v1/me")).body.data.tenant.name).toBe(name);
    const same = await tenant.owner.patch("/v1/shop", { name, address: ADDRESS });
    expect(same.body.data).toEqual(changed.body.data);
    expect((await tenant.owner.patch("/v1/shop", {})).body.data).toEqual(changed.body.data);
    expect(await tenant.audit("action=shop.updated")).toEqual([
      expect.objectContaining({
        target: { type: "tenant", id: tenant.tenantId },
        changes: {
          name: { from: expect.any(String), to: name },
          locale: { from: "en", to: "de-CH" },
          address: { from: null, to: ADDRESS },
        },
      }),
    ]);
  });

  test("has its address replaced as a whole, or merged by a merge patch, or removed", async () => {
    const { owner } = tenant;
    await owner.patch("/v1/shop", { address: ADDRESS });
    const { phone: _, ...rest } = ADDRESS;
    const merged = await merge({ address: { line1: "Gasse 1", phone: null } });
    expect(merged.body.data.address).toEqual({ ...rest, line1: "Gasse 1" });
    const replaced = await owner.patch("/v1/shop", { address: { city: "Bern", line2: null } });
    expect(replaced.body.data.address).toEqual({ city: "Bern" });
    expect((await merge({ address: { city: null } })).body.data.address).toBeNull();
    expect((await merge({ address: { city: "Basel" } })).body.data.address).toEqual({ city: "Basel" });
    expect((await owner.patch("/v1/shop", { address: null })).body.data.address).toBeNull();
  });

  test("refuses what is not a setting, naming every field", async () => {
    const bad = { name: " ", currency: "XXX", timeZone: "+02:00", locale: "de_DE", address: { zip: "8001" } };
    expect(await faultsOf({ ...bad, slug: "new" })).toEqual([
      { path: "name", message: "must not be empty" },
      { path: "currency", message: "must be an ISO 4217 currency code in use" },
      { path: "timeZone", message: "must be the name of a time zone, like Europe/Lisbon" },
      { path: "locale", message: "must be a language tag: en, de-AT" },
      { path: "address.zip", message: "unknown field" },
      { path: "slug", message: "unknown field" },
    ]);
    const others = { name: "n".repeat(201), currency: null, timeZone: 1, locale: "", address: "Bern" };
    expect((await faultsOf(others)).map(({ path }: { path: string }) => path)).toEqual(Object.keys(others));
    const address = { line1: "", line2: "a\nb", email: "shop", taxId: 7, city: "c".repeat(256) };
    expect((await faultsOf({ address })).map(({ path }: { path: string }) => path)).toEqual(
      ["line1", "line2", "city", "email", "taxId"].map((field) => `address.${field}`),
    );
    expect((await merge({ address: { fax: "1" } })).body.error.details).toEqual([
      { path: "address.fax", message: "unknown field" },
    ]);
  });

  test("tells a key that may not read it which scopes it needs one of", async () => {
    const { client } = await gateway.createKey(tenant, ["write:crm", "write:crm_bulk", "write:content"]);
    const refused = await client.get("/v1/shop");
    expect(refused.body.error.message).toBe(
      'This needs one of the scopes "read:crm" and "read:content", which the key does not have.',
    );
  });

  test("keeps both of two changes at the same moment", async () => {
    const changes = [merge({ address: { city: "Genf" } }), merge({ address: { country: "CH" } })];
    for (const { status } of await Promise.all(changes)) expect(status).toBe(200);
    expect((await shopOf(tenant.owner)).address).toMatchObject({ city: "Genf", country: "CH" });
  });
});
