// Mails the notices that opened within a minute, together.
import type { Logger } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Settings } from "../config.ts";
import type { Tables } from "../tables.ts";
import { type Channel, type Claimed, claimedFor } from "./notice-messages.ts";

// Of one tenant in this process. Notices beyond it go into a mail of the next hour.
const MAILS_AN_HOUR_MAX = 60;
const HOUR_MS = 3_600_000;
const NAME_CHARACTERS_MAX = 60;
// Shorter than the claim of a mail.
const MAIL_TIMEOUT_MS = 10_000;

interface Mail extends Claimed {
  readonly emails: string[];
  readonly notices: { subject: string; kind: string; openedAt: string; whatHappensNext: string }[];
}

export function mailChannel(options: {
  settings: Settings;
  db: Kysely<Tables>;
  lockMs: number;
  mailAfterMs: number;
  logger: Logger;
}): Channel<Mail> & { readonly canMail: boolean } {
  const { db, lockMs, mailAfterMs, logger } = options;
  const sendMail = mailerOf(options.settings);
  const mailed = hourlyCounts();
  return {
    canMail: sendMail !== null,
    claim: async (max, except) => {
      if (sendMail !== null)
        return claimMails(db, {
          max,
          except: [...except, ...mailed.above(MAILS_AN_HOUR_MAX)],
          lockMs,
          mailAfterMs,
        });
      await dropMails(db);
      return [];
    },
    send: async ({ tenantId, emails, notices }) => {
      if (sendMail === null || emails.length === 0) return true;
      const lines = notices.map(
        ({ subject, kind, openedAt, whatHappensNext }) =>
          `${quoted(subject)}: ${kind.replaceAll("_", " ")}, since ${openedAt}.\n${whatHappensNext}\n`,
      );
      const subject = notices.length === 1 ? "A webhook notice" : `${notices.length} webhook notices`;
      mailed.add(tenantId, emails.length);
      // One mail each, so that nobody sees the others' addresses.
      const sent = await Promise.allSettled(
        emails.map((to) => sendMail({ to, subject, text: lines.join("\n") })),
      );
      for (const one of sent)
        if (one.status === "rejected") logger.warn({ err: one.reason }, "mail not sent");
      // If one address is refused, the others do not get the mail again.
      return sent.some(({ status }) => status === "fulfilled");
    },
  };
}

/** The returned function rejects if the server refuses the mail. */
function mailerOf({ NOTICES_SMTP_URL, NOTICES_MAIL_FROM }: Settings) {
  if (NOTICES_SMTP_URL === undefined || NOTICES_MAIL_FROM === undefined) return null;
  const options = {
    url: NOTICES_SMTP_URL,
    connectionTimeout: MAIL_TIMEOUT_MS,
    greetingTimeout: MAIL_TIMEOUT_MS,
    socketTimeout: MAIL_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return async (mail: { to: string; subject: string; text: string }) => {
    // nodemailer takes several MB, and few processes ever send a mail.
    const { createTransport } = await import("nodemailer");
    const transport = createTransport(options);
    await transport.sendMail({ from: NOTICES_MAIL_FROM, ...mail });
  };
}

/** Removes what a mail program could show as a link. */
export function quoted(name: string): string {
  const words = name.split(/\s+/).filter((word) => !/:\/\/|@|[^\s.]\.[^\s.]|\\/u.test(word));
  return `"${words.join(" ").replaceAll('"', "'").slice(0, NAME_CHARACTERS_MAX)}"`;
}

function hourlyCounts() {
  const counts = new Map<string, number>();
  let hour = 0;
  const current = () => {
    const now = Math.floor(Date.now() / HOUR_MS);
    if (now !== hour) counts.clear();
    hour = now;
    return counts;
  };
  return {
    add: (tenantId: string, count: number) => current().set(tenantId, (counts.get(tenantId) ?? 0) + count),
    above: (max: number) => [...current()].flatMap(([tenantId, count]) => (count >= max ? [tenantId] : [])),
  };
}

async function claimMails(
  db: Kysely<Tables>,
  claim: { max: number; except: readonly string[]; lockMs: number; mailAfterMs: number },
): Promise<Mail[]> {
  const { max, except, lockMs, mailAfterMs } = claim;
  const { rows } = await sql<Mail>`
    with tenant as (
      select tenant_id from notice_messages
       where channel = 'mail' and next_attempt_at <= now() and created_at <= now() - ${mailAfterMs} * interval '1 ms'
         and tenant_id <> all(${except}::uuid[])
       group by tenant_id
       order by min(created_at)
       limit ${max}
    ), due as (
      select tenant_id, id from notice_messages
       where channel = 'mail' and next_attempt_at <= now() and tenant_id in (select tenant_id from tenant)
         for update skip locked), ${claimedFor(lockMs)}
    select claimed.tenant_id as "tenantId", json_agg(notice order by created_at, id) as notices,
           json_agg(json_build_object('id', id, 'attempt', attempt_count) order by created_at, id) as messages,
           coalesce(emails, '{}') as emails
      from claimed left join notice_destinations on notice_destinations.tenant_id = claimed.tenant_id
     group by claimed.tenant_id, emails`.execute(db);
  return rows;
}

/** Drops mails left from when there was a mail server, after a day: another process may still try them. */
async function dropMails(db: Kysely<Tables>): Promise<void> {
  await sql`
    delete from notice_messages
     where channel = 'mail' and next_attempt_at <= now() and created_at < now() - interval '1 day'`.execute(
    db,
  );
}
