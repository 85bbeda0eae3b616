// Creates and changes customers. A change is decided on the customer as read and written only if its version is still the same,
// so that concurrent changes do not overwrite each other.
import { isDeepStrictEqual } from "node:util";
import { ApiError, required, requireMatch } from "@tradepost/http";
import { admit, type Cause } from "@tradepost/messaging";
import { customerErased } from "../customer-erased.ts";
import type { Tenant } from "../tables.ts";
import { untilWritten } from "../until-written.ts";
import type { CustomerChange, CustomerInput, CustomerReplacement } from "./customer-input.ts";
import type { Customer } from "./customer-resource.ts";
import { findCustomer, insertCustomer, updateCustomer } from "./customer-store.ts";

/** @throws 409 `conflict` with `customerId` if another customer of the tenant has the externalId; 409 `quota_exceeded`. */
export async function createCustomer(tenant: Tenant, input: CustomerInput, cause: Cause): Promise<Customer> {
  admit(cause, "eventBytes");
  return await untilWritten(async () => {
    const customer = await insertCustomer(tenant, input, cause);
    // Does not throw if the other customer has given up the externalId meanwhile.
    if (customer === null && input.externalId !== undefined) await rejectTaken(tenant, input.externalId);
    return customer;
  });
}

/**
 * Changing nothing leaves the version as it is. `changeOf` returns the change of the stored customer, `ifMatch` is the header.
 * @throws 404; 412 `version_mismatch`; 409 `customer_erased`; 409 as `createCustomer`.
 */
export async function changeCustomer(
  tenant: Tenant,
  id: string,
  changeOf: (before: Customer) => CustomerChange,
  ifMatch: string | undefined,
  cause: Cause,
): Promise<Customer> {
  return await untilWritten(async () => {
    const before = required(await findCustomer(tenant, { id }), "customer");
    const change = changeOf(before);
    requireMatch(ifMatch, before.version);
    return await write(tenant, before, change, cause);
  });
}

/**
 * Gives the customer with this externalId the values of `input`, or creates it.
 * @throws 412 `version_mismatch`, also for a new one if `ifMatch` asks for a version.
 */
export async function putCustomer(
  tenant: Tenant,
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
  return await untilWritten(async () => {
    const before = await findCustomer(tenant, { externalId });
    if (before === null && ifMatch !== undefined) {
      throw new ApiError("version_mismatch", "There is no such customer yet; If-Match asks for one.");
    }
    if (before === null) {
      admit(cause, "eventBytes");
      const created = await insertCustomer(tenant, input, cause);
      return created && { customer: created, isNew: true };
    }
    requireMatch(ifMatch, before.version);
    const changed = await write(tenant, before, { name, email, phone, metadata }, cause);
    return changed && { customer: changed, isNew: false };
  });
}

async function write(
  tenant: Tenant,
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

async function rejectTaken(tenant: Tenant, externalId: string): Promise<void> {
  const other = await findCustomer(tenant, { externalId });
  if (other === null) return;
  throw new ApiError("conflict", "Another customer has this externalId.", {
    extra: { customerId: other.id },
  });
}
