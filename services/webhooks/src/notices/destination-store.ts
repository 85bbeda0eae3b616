// Where a tenant's notices are sent: a URL, mail addresses, or both (interface §17).
import { email, invalid, notFound } from "@tradepost/http";
import type { Cause } from "@tradepost/messaging";
import { sql } from "kysely";
import { z } from "zod";
import { type AddressGuard, type Sealing, urlInput } from "../endpoint/endpoint.ts";
import { recordAudit } from "../record-audit.ts";
import type { Tenant } from "../tables.ts";
import { noticeKind } from "./notice.ts";

const EMAILS_MAX = 10;

export const destination = z
  .strictObject({
    url: z.string().nullable(),
    emails: z.array(email),
    kinds: z.array(noticeKind).nullable().describe("Null for all kinds."),
    signingSecretPreview: z.string().nullable().describe("The first 8 characters of the secret."),
    signingSecret: z.string().optional().describe("The whole secret, shown only once."),
  })
  .meta({ id: "NoticeDestination", description: "Where a tenant's notices are sent." });

export function destinationInput(guard: AddressGuard, canMail: boolean) {
  return z
    .strictObject({
      url: urlInput(guard).nullable().optional(),
      emails: z
        .array(email, "must be a list of e-mail addresses")
        .max(EMAILS_MAX, `must contain at most ${EMAILS_MAX} addresses`)
        .optional()
        .meta({ uniqueItems: true }),
      kinds: z
        .array(noticeKind, "must be a list of kinds")
        .min(1, "must contain at least 1 kind")
        .refine((kinds) => new Set(kinds).size === kinds.length, "must not repeat a kind")
        .meta({ uniqueItems: true })
        .nullable()
        .optional()
        .describe("All kinds by default."),
      rotate: z
        .boolean("must be true or false")
        .default(false)
        .describe("Whether to make a new signing secret."),
    })
    .superRefine(({ url, emails = [] }, context) => {
      const fault = (path: "url" | "emails", message: string) =>
        context.addIssue({ code: "custom", path: [path], message });
      if (emails.length > 0 && !canMail)
        fault("emails", "cannot be used: this installation has no mail server");
      if (new Set(emails).size < emails.length) fault("emails", "must not repeat an address");
      if ((url ?? null) === null && emails.length === 0) fault("url", "is required without emails");
    });
}

/** @throws 422 for each address that is not the confirmed one of an active user. */
export function requireConfirmed(emails: readonly string[], confirmed: readonly string[]): void {
  const faults = emails.flatMap((email, index) =>
    confirmed.includes(email.toLowerCase())
      ? []
      : [{ path: `emails[${index}]`, message: "must be the address of an active user who has confirmed it" }],
  );
  if (faults.length > 0) throw invalid(faults);
}

export type DestinationInput = z.output<ReturnType<typeof destinationInput>>;

export async function findDestination({ db, tenantId }: Tenant) {
  const row = await db
    .selectFrom("notice_destinations")
    .select(["url", "emails", "kinds", "secret_preview as signingSecretPreview"])
    .where("tenant_id", "=", tenantId)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the signing secret if this is the first URL, or `rotate` is true. */
export async function putDestination(
  tx: Tenant,
  { url = null, emails = [], kinds = null, rotate }: DestinationInput,
  sealing: Pick<Sealing, "newSecret">,
  cause: Cause,
) {
  const { tenantId } = tx;
  // Of two requests with a first URL, the second must see the secret of the first.
  await sql`select pg_advisory_xact_lock(hashtextextended(${tenantId}, 0))`.execute(tx.db);
  const before = await tx.db
    .selectFrom("notice_destinations")
    .select(["secret_sealed", "secret_preview"])
    .where("tenant_id", "=", tenantId)
    .executeTakeFirst();
  if (rotate && url === null) throw invalid([{ path: "rotate", message: "needs a url" }]);
  const isNew = url !== null && (rotate || (before?.secret_sealed ?? null) === null);
  const made = isNew ? sealing.newSecret(tenantId, tenantId) : null;
  const values = {
    url,
    emails,
    kinds,
    ...(made !== null && { secret_sealed: made.sealed, secret_preview: made.preview }),
  };
  await tx.db
    .insertInto("notice_destinations")
    .values({ tenant_id: tenantId, ...values })
    .onConflict((conflict) => conflict.column("tenant_id").doUpdateSet(values))
    .execute();
  const target = { type: "notice_destination", id: tenantId } as const;
  const changes = { url, emails, kinds, ...(made !== null && { rotated: before !== undefined }) };
  await recordAudit(tx, "notice_destination.updated", target, cause, changes);
  return {
    ...{ url, emails, kinds },
    signingSecretPreview: made?.preview ?? before?.secret_preview ?? null,
    ...(made !== null && { signingSecret: made.secret }),
  };
}

/** Deletes unsent messages, too. Throws 404 without a destination. */
export async function deleteDestination(tx: Tenant, cause: Cause): Promise<void> {
  const { tenantId } = tx;
  const { numDeletedRows } = await tx.db
    .deleteFrom("notice_destinations")
    .where("tenant_id", "=", tenantId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound("destination");
  await tx.db.deleteFrom("notice_messages").where("tenant_id", "=", tenantId).execute();
  await recordAudit(tx, "notice_destination.deleted", { type: "notice_destination", id: tenantId }, cause);
}
