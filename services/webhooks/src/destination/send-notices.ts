// Sends notices to their tenants' destinations: each notice as a signed POST, and by mail the notices that opened within a
// minute, together. They have their own attempts and retry schedule, apart from deliveries. A failure here opens no notice.
import { type Logger, repeat } from "@tradepost/runtime";
import type { Pool } from "pg";
import type { Wait } from "../delivery/delivery.ts";
import type { Send } from "../sending/sending.ts";

/** Sends one mail, text only. Rejects if the server does not accept it. */
export type SendMail = (mail: { to: string; subject: string; text: string }) => Promise<void>;

const LOOK_EVERY_MS = 5_000;
// Applies to posts and to mails separately.
const AT_A_TIME_MAX = 20;
// A mail lists the notices that opened within this time.
const MAIL_AFTER_MS = 60_000;
// Of one tenant in this process. Notices beyond it are mailed together in the next hour.
const MAILS_AN_HOUR_MAX = 60;
const HOUR_MS = 3_600_000;
const NAME_CHARACTERS_MAX = 60;

/** A message with the number of its attempt. */
interface Attempted {
  readonly id: string;
  readonly attempt: number;
}

interface Message extends Attempted {
  readonly tenantId: string;
  readonly noticeId: string;
  readonly change: "opened" | "closed";
  readonly createdAt: Date;
  /** JSON text. */
  readonly notice: string;
  /** Null if the destination has no URL any more. */
  readonly url: string | null;
  readonly secretSealed: Buffer | null;
}

interface Mail {
  readonly tenantId: string;
  /** One for each notice, in the order of `notices`. They may have been tried different numbers of times. */
  readonly messages: Attempted[];
  readonly emails: string[];
  readonly notices: { subject: string; kind: string; openedAt: string; whatHappensNext: string }[];
}

export interface SendingNotices {
  /** Call it when a notice may have opened or closed. */
  wake(): void;
  stop(): Promise<void>;
}

export function startSendingNotices(options: {
  pool: Pool;
  send: Send;
  /** Null without a mail server. */
  sendMail: SendMail | null;
  schedule: readonly Wait[];
  /** How long a message is claimed, in ms: longer than an attempt takes. */
  lockMs: number;
  mailAfterMs?: number | undefined;
  logger: Logger;
}): SendingNotices {
  const { pool, send, sendMail, schedule, lockMs, mailAfterMs = MAIL_AFTER_MS, logger } = options;
  /** Each post or mail in progress, with its tenant. */
  const posts = new Map<Promise<void>, string>();
  const mails = new Map<Promise<void>, string>();
  const mailed = hourlyCounts();

  const sending = repeat(async () => {
    try {
      for (const message of await claimPosts()) track(posts, message);
      for (const mail of await claimMails()) track(mails, mail);
      return Math.min(LOOK_EVERY_MS, mailAfterMs);
    } catch (error) {
      logger.warn({ err: error }, "notices not sent; retrying");
      return LOOK_EVERY_MS;
    }
  });

  async function claimPosts(): Promise<readonly Message[]> {
    const free = AT_A_TIME_MAX - posts.size;
    if (free === 0) return [];
    return (await pool.query<Message>(CLAIM, [free, lockMs, [...posts.values()]])).rows;
  }

  async function claimMails(): Promise<readonly Mail[]> {
    const free = AT_A_TIME_MAX - mails.size;
    if (sendMail === null) await pool.query(DROP_MAILS);
    if (sendMail === null || free === 0) return [];
    return (
      await pool.query<Mail>(CLAIM_MAILS, [
        mailAfterMs,
        lockMs,
        free,
        [...mails.values(), ...mailed.above(MAILS_AN_HOUR_MAX)],
      ])
    ).rows;
  }

  function track(inProgress: Map<Promise<void>, string>, message: Message | Mail): void {
    const settled = post(message)
      .catch((error: unknown) => logger.warn({ err: error }, "notice not sent; it is sent again"))
      .finally(() => {
        inProgress.delete(settled);
        sending.wake();
      });
    inProgress.set(settled, message.tenantId);
  }

  async function post(message: Message | Mail): Promise<void> {
    const isMail = "messages" in message;
    const isSent = isMail ? await mailTo(message) : await postTo(message);
    await settle(message.tenantId, isMail ? message.messages : [message], isSent);
  }

  /** Deletes the messages that were sent or were tried for the last time. Each of the others waits for its own next attempt. */
  async function settle(tenantId: string, messages: readonly Attempted[], isSent: boolean): Promise<void> {
    const tried = messages.map(({ id, attempt }) => ({
      id,
      wait: isSent ? undefined : schedule[attempt - 1],
    }));
    const over = tried.flatMap(({ id, wait }) => (wait === undefined ? [id] : []));
    const again = tried.flatMap(({ id, wait }) => (wait === undefined ? [] : [{ id, waitMs: wait.ms }]));
    if (again.length > 0)
      await pool.query(RETRY, [tenantId, again.map(({ id }) => id), again.map(({ waitMs }) => waitMs)]);
    if (over.length > 0) await pool.query(DELETE, [tenantId, over]);
    if (over.length > 0 && !isSent) logger.warn({ tenantId, count: over.length }, "notice given up");
  }

  async function postTo({ tenantId, id, url, secretSealed, ...message }: Message): Promise<boolean> {
    if (url === null || secretSealed === null) return true;
    // `send` throws if the secret cannot be opened. That counts as an attempt, so that no notice is tried forever.
    const made = await send({
      ...{ tenantId, url, secretSealed },
      deliveryId: id,
      // For sealing and for prepared endpoints, the destination counts as a subscription with the tenant's id.
      subscriptionId: tenantId,
      eventId: message.noticeId,
      type: `notice.${message.change}`,
      occurredAt: message.createdAt.toISOString(),
      attempt: message.attempt,
      data: `{"notice":${message.notice}}`,
      ...{ resourceId: null, resourceVersion: null, replayId: null },
      ...{ generation: 1, requestId: "", traceparent: null, subscriptionVersion: 1 },
      ...{ previousSecretSealed: null, headersSealed: null },
      ...{ isRecordedHealthy: false, waitedMs: 0, heldBy: "no" as const },
    }).catch((error: unknown) => logger.warn({ err: error, tenantId }, "notice not posted"));
    return made?.outcome === "delivered";
  }

  async function mailTo({ tenantId, emails, notices }: Mail): Promise<boolean> {
    if (sendMail === null || emails.length === 0) return true;
    const lines = notices.map(
      ({ subject, kind, openedAt, whatHappensNext }) =>
        `${quoted(subject)}: ${kind.replaceAll("_", " ")}, since ${openedAt}.\n${whatHappensNext}\n`,
    );
    const subject = notices.length === 1 ? "A webhook notice" : `${notices.length} webhook notices`;
    mailed.add(tenantId, emails.length);
    // A mail to each, so that nobody sees the others' addresses.
    const sent = await Promise.allSettled(
      emails.map((to) => sendMail({ to, subject, text: lines.join("\n") })),
    );
    for (const one of sent) if (one.status === "rejected") logger.warn({ err: one.reason }, "mail not sent");
    // If the server refuses one address, the others do not get the mail again.
    return sent.some(({ status }) => status === "fulfilled");
  }

  return {
    wake: sending.wake,
    stop: async () => {
      await sending.stop();
      await Promise.all([...posts.keys(), ...mails.keys()]);
    },
  };
}

/** Quotes a name without what a mail program could show as a link: addresses of pages and of mailboxes. */
export function quoted(name: string): string {
  const words = name.split(/\s+/).filter((word) => !/:\/\/|@|[^\s.]\.[^\s.]|\\/u.test(word));
  return `"${words.join(" ").replaceAll('"', "'").slice(0, NAME_CHARACTERS_MAX)}"`;
}

/** Counts by tenant, from zero in each hour. */
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

// Claims one message per tenant at a time, so that a slow destination does not take others' slots. The longest waiting is first.
const CLAIM = `
  with due as (
    select message.tenant_id, message.id
      from (select tenant_id from notice_messages
             where channel = 'webhook' and next_attempt_at <= now() and tenant_id <> all($3::uuid[])
             group by tenant_id order by min(next_attempt_at)) tenant
     cross join lateral (
       select tenant_id, id from notice_messages
        where notice_messages.tenant_id = tenant.tenant_id and channel = 'webhook' and next_attempt_at <= now()
        order by next_attempt_at, id
        limit 1
          for update skip locked
     ) message
     limit $1
  ), claimed as (
    update notice_messages
       set attempt_count = attempt_count + 1, next_attempt_at = now() + $2 * interval '1 ms'
      from due
     where notice_messages.tenant_id = due.tenant_id and notice_messages.id = due.id
    returning notice_messages.*
  )
  select claimed.tenant_id as "tenantId", id, notice_id as "noticeId", change, attempt_count as attempt,
         created_at as "createdAt", notice::text as notice, url, secret_sealed as "secretSealed"
    from claimed left join notice_destinations on notice_destinations.tenant_id = claimed.tenant_id`;

const CLAIM_MAILS = `
  with tenant as (
    select tenant_id from notice_messages
     where channel = 'mail' and next_attempt_at <= now() and created_at <= now() - $1 * interval '1 ms'
       and tenant_id <> all($4::uuid[])
     group by tenant_id
     order by min(created_at)
     limit $3
  ), due as (
    select tenant_id, id from notice_messages
     where channel = 'mail' and next_attempt_at <= now() and tenant_id in (select tenant_id from tenant)
       for update skip locked
  ), claimed as (
    update notice_messages
       set attempt_count = attempt_count + 1, next_attempt_at = now() + $2 * interval '1 ms'
      from due
     where notice_messages.tenant_id = due.tenant_id and notice_messages.id = due.id
    returning notice_messages.*
  )
  select claimed.tenant_id as "tenantId", json_agg(json_build_object('id', id, 'attempt', attempt_count) order by created_at, id) as messages,
         json_agg(notice order by created_at, id) as notices, coalesce(emails, '{}') as emails
    from claimed left join notice_destinations on notice_destinations.tenant_id = claimed.tenant_id
   group by claimed.tenant_id, emails`;

// Deletes mails left from when there was a mail server. They are kept for a day, because another process may have one and still
// try.
const DROP_MAILS = `
  delete from notice_messages
   where channel = 'mail' and next_attempt_at <= now() and created_at < now() - interval '1 day'`;

const RETRY = `
  update notice_messages set next_attempt_at = now() + wait_ms * interval '1 ms'
    from unnest($2::uuid[], $3::float[]) as again (id, wait_ms)
   where tenant_id = $1 and notice_messages.id = again.id`;

const DELETE = `delete from notice_messages where tenant_id = $1 and id = any($2::uuid[])`;
