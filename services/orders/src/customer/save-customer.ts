// Creates and changes customers. A change is decided on the customer as read and written only if its version is still the same,
// so that concurrent changes do not overwrite each other.
import { isDeepStrictEqual } from "node:util";
import { ApiError, required, requireMatch } from "@tradepost/http";
import { admit, type Cause } from "@tradepost/messaging";
import type { Tenant } from "@tradepost/postgres";
import { customerErased } from "../refuse-erased.ts";
import type { Tables } from "../tables.ts";
import type { CustomerChange, CustomerInput, CustomerReplacement } from "./customer-input.ts";
import type { Customer } from "./customer-resource.ts";
import { findCustomer, insertCustomer, updateCustomer } from "./customer-store.ts";

// Each failed write means that somebody else's change has committed.
const TRIES_MAX = 100;

/** @throws 409 `conflict` with `customerId` if another customer of the tenant has the externalId; 409 `quota_exceeded`. */
export async function createCustomer(
  tenant: Tenant<Tables>,
  input: CustomerInput,
  cause: Cause,
): Promise<Customer> {
  admit(cause, "eventBytes");
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const customer = await insertCustomer(tenant, input, cause);
    if (customer !== null) return customer;
    // None is found if it has given up the externalId meanwhile.
    if (input.externalId !== undefined) await rejectTaken(tenant, input.externalId);
  }
  throw tooManyChanges();
}

/**
 * Changing nothing leaves the version as it is. `changeOf` returns the change of the stored customer, `ifMatch` is the header.
 * @throws 404; 412 `version_mismatch`; 409 `customer_erased`; 409 as `createCustomer`.
 */
export async function changeCustomer(
  tenant: Tenant<Tables>,
  id: string,
  changeOf: (before: Customer) => CustomerChange,
  ifMatch: string | undefined,
  cause: Cause,
): Promise<Customer> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const before = required(await findCustomer(tenant, { id }), "customer");
    const change = changeOf(before);
    requireMatch(ifMatch, before.version);
    const after = await write(tenant, before, change, cause);
    if (after !== null) return after;
  }
  throw tooManyChanges();
}

/**
 * Gives the customer with this externalId the values of `input`, or creates it.
 * @throws 412 `version_mismatch`, also for a new one if `ifMatch` asks for a version.
 */
export async function putCustomer(
  tenant: Tenant<Tables>,
  externalId: string,
  { name, email, phone, metadata }: CustomerReplacement,
  ifMatch: string | undefined,
  cause: Cause,
): Promise<{ customer: Customer; isNew: boolean }> {
  const input = {
    name,
    externalId,
    ...(email !== null && { email }),
    ...(phone !== null && { phone }),
    ...(metadata !== null && { metadata }),
  };
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const before = await findCustomer(tenant, { externalId });
    if (before === null && ifMatch !== undefined) {
      throw new ApiError("version_mismatch", "There is no such customer yet; If-Match asks for one.");
    }
    if (before === null) {
      admit(cause, "eventBytes");
      const customer = await insertCustomer(tenant, input, cause);
      if (customer !== null) return { customer, isNew: true };
      continue;
    }
    requireMatch(ifMatch, before.version);
    const customer = await write(tenant, before, { name, email, phone, metadata }, cause);
    if (customer !== null) return { customer, isNew: false };
  }
  throw tooManyChanges();
}

async function write(
  tenant: Tenant<Tables>,
  before: Customer,
  change: CustomerChange,
  cause: Cause,
): Promise<Customer | null> {
  if (before.erasedAt !== undefined) throw customerErased({ customerId: before.id });
  const isUnchanged = (Object.keys(change) as (keyof CustomerChange)[]).every((name) =>
    isDeepStrictEqual(change[name] ?? undefined, before[name]),
  );
  if (isUnchanged) return before;
  admit(cause, "eventBytes");
  const after = await updateCustomer(tenant, before, change, cause);
  if (after === "externalId taken") await rejectTaken(tenant, change.externalId ?? "");
  return typeof after === "string" ? null : after;
}

async function rejectTaken(tenant: Tenant<Tables>, externalId: string): Promise<void> {
  const other = await findCustomer(tenant, { externalId });
  if (other === null) return;
  throw new ApiError("conflict", "Another customer has this externalId.", {
    extra: { customerId: other.id },
  });
}

function tooManyChanges(): Error {
  return new Error(`the customer changed ${TRIES_MAX} times`);
}
