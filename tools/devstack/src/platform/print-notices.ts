// Prints a line for each notice that opens while `npm start` runs (interface §17).
import { connectPostgres } from "@tradepost/postgres";
import { createLogger, type Repetition, repeat } from "@tradepost/runtime";
import { findOpenedSince, type Tables } from "@tradepost/webhooks/operate";

const READ_EVERY_MS = 1_000;
/** A notice's time is the start of its transaction, so it may become visible after a later notice, but within this time. */
const OVERLAP_MS = 60_000;
const READ_MAX = 100;

/**
 * Reads the database of the webhooks service, because any of its transactions may open a notice, for any tenant. If more than 100
 * open at once, the latest are printed. `startedAt` is a time before the services started, by the clock of the database.
 */
export function printNotices({
  databaseUrl,
  startedAt,
  log,
}: {
  databaseUrl: string;
  startedAt: Date;
  log: (line: string) => void;
}): Pick<Repetition, "stop"> {
  const postgres = connectPostgres<Tables>({
    url: databaseUrl,
    name: "start",
    connectionsMax: 1,
    logger: createLogger("start", "silent"),
  });
  let from = startedAt;
  let printed: ReadonlySet<string> = new Set();
  const reading = repeat(async () => {
    // Fails while Postgres restarts; the next read also finds the notices that opened meanwhile.
    const notices = await findOpenedSince(postgres.db, from, READ_MAX).catch(() => undefined);
    if (notices === undefined) return READ_EVERY_MS;
    for (const { id, kind, subject, whatHappensNext } of notices.toReversed())
      if (!printed.has(id)) log(`Notice ${kind}, ${subject}: ${whatHappensNext}`);
    printed = new Set(notices.map(({ id }) => id));
    const latest = notices[0]?.openedAt ?? startedAt;
    from = new Date(Math.max(startedAt.getTime(), latest.getTime() - OVERLAP_MS));
    return READ_EVERY_MS;
  });
  return {
    stop: async () => {
      await reading.stop();
      await postgres.stop();
    },
  };
}
