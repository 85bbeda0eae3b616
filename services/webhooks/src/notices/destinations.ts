// Sends notices to their tenants' destinations: each as a signed POST, and those that opened within a minute in one mail.
// A failure here opens no notice. A destination is not a hidden subscription: mail needs claims and retries of its own, and every
// list, count and limit of subscriptions would have to leave it out.
import { type RowColumns, rowsAs } from "@tradepost/postgres";
import { type Logger, repeatOrWarn, togetherWithOthers } from "@tradepost/runtime";
import { type Kysely, sql } from "kysely";
import type { Settings } from "../config.ts";
import type { Tables } from "../tables.ts";
import type { Wait } from "../topology.ts";
import { mailChannel } from "./mail-notices.ts";
import type { Channel, Claimed } from "./notice-messages.ts";
import { postChannel, type Send } from "./post-notices.ts";

const LOOK_EVERY_MS = 5_000;
// Posts and mails have this maximum each.
const AT_A_TIME_MAX = 20;
const MAIL_AFTER_MS = 60_000;

export interface DestinationTimes {
  /** A mail lists the notices that opened within this time. */
  readonly mailAfterMs?: number;
}

/** Call `wake` when a notice may have opened or closed. */
export function startDestinations(
  options: DestinationTimes & {
    settings: Settings;
    db: Kysely<Tables>;
    send: Send;
    /** Longer than an attempt takes. */
    lockMs: number;
    logger: Logger;
  },
) {
  const { settings, db, send, lockMs, mailAfterMs = MAIL_AFTER_MS, logger } = options;
  const schedule = settings.WEBHOOKS_RETRY_SCHEDULE;
  const { canMail, ...mails } = mailChannel({ settings, db, lockMs, mailAfterMs, logger });
  const shared = { db, schedule, onEnd: () => sending.wake(), logger };
  const lanes = [
    createLane({ ...shared, channel: postChannel({ db, send, lockMs, logger }) }),
    createLane({ ...shared, channel: mails }),
  ];
  const sending = repeatOrWarn(logger, "notices not sent; retrying", LOOK_EVERY_MS, async () => {
    for (const lane of lanes) await lane.start();
    return togetherWithOthers(Math.min(LOOK_EVERY_MS, mailAfterMs));
  });
  return {
    canMail,
    wake: sending.wake,
    stop: async () => {
      await sending.stop();
      await Promise.all(lanes.map(({ ended }) => ended()));
    },
  };
}

/** One for each channel, so that a mail server that hangs does not delay posts. */
function createLane<Sent extends Claimed>(options: Settling & { channel: Channel<Sent>; onEnd: () => void }) {
  const { channel, onEnd, logger } = options;
  const inProgress = new Map<Promise<void>, string>();
  const sendAndSettle = async (claimed: Sent) => settle(claimed, await channel.send(claimed), options);
  return {
    start: async () => {
      const free = AT_A_TIME_MAX - inProgress.size;
      if (free === 0) return;
      for (const claimed of await channel.claim(free, [...inProgress.values()])) {
        const settled = sendAndSettle(claimed)
          .catch((error: unknown) => logger.warn({ err: error }, "notice not sent; it is sent again"))
          .finally(() => {
            inProgress.delete(settled);
            onEnd();
          });
        inProgress.set(settled, claimed.tenantId);
      }
    },
    ended: () => Promise.all(inProgress.keys()),
  };
}

interface Settling {
  db: Kysely<Tables>;
  schedule: readonly Wait[];
  logger: Logger;
}

const waitColumns: RowColumns<{ id: string; wait: Wait }> = {
  id: ["uuid", ({ id }) => id],
  wait_ms: ["float", ({ wait }) => wait.ms],
};

/** Deletes the messages that were sent or tried for the last time. The others wait for their next attempt. */
async function settle(
  { tenantId, messages }: Claimed,
  isSent: boolean,
  { db, schedule, logger }: Settling,
): Promise<void> {
  const waitOf = (attempt: number) => (isSent ? undefined : schedule[attempt - 1]);
  const over = messages.filter(({ attempt }) => waitOf(attempt) === undefined).map(({ id }) => id);
  const again = messages.flatMap(({ id, attempt }) => {
    const wait = waitOf(attempt);
    return wait === undefined ? [] : [{ id, wait }];
  });
  if (again.length > 0)
    await sql`
      update notice_messages set next_attempt_at = now() + wait_ms * interval '1 ms'
        from ${rowsAs("again", waitColumns, again)}
       where tenant_id = ${tenantId} and notice_messages.id = again.id`.execute(db);
  if (over.length === 0) return;
  await sql`delete from notice_messages where tenant_id = ${tenantId} and id = any(${over}::uuid[])`.execute(
    db,
  );
  if (!isSent) logger.warn({ tenantId, count: over.length }, "notice given up");
}
