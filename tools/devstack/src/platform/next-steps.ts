import { connectPostgres } from "@tradepost/postgres";
import { createLogger, type Repetition, repeat } from "@tradepost/runtime";
import { findOpenedSince, type Tables } from "@tradepost/webhooks/operate";
import { DEFAULT_DATA_DIR } from "../settings/platform-settings.ts";
import type { PlatformFile } from "./platform-file.ts";

/** Returns what `npm start` prints when the platform is ready. */
export function nextSteps(
  { gatewayUrl, managementUrl, prometheus, demo }: PlatformFile,
  dataDir: string,
): string {
  const where = dataDir === DEFAULT_DATA_DIR ? "" : `TRADEPOST_DATA_DIR='${dataDir}' `;
  const order = `customerId=${demo.customerId} items:='[{"sku":"TEA-100","name":"Tea","unitPrice":4.5}]'`;
  return `
Dashboard: ${gatewayUrl}/dashboard
  Sign in as the demo's owner: ${demo.ownerEmail}  ${demo.ownerPassword}

In another terminal:
  ${where}npm run api -- POST /v1/orders ${order}
  ${where}npm run api -- GET /v1/orders limit=1
  ${where}npm run demo                  a webhook arrives
  ${where}npm run demo -- survive       nothing is lost, whatever you kill
  ${where}npm run ops -- status         what needs you
  curl -H 'Authorization: Bearer ${demo.apiKey}' ${gatewayUrl}/v1/me
${
  managementUrl === null
    ? ""
    : `RabbitMQ's management page: ${managementPage(managementUrl)}
`
}${
  prometheus === undefined
    ? ""
    : `Prometheus, with the alerts: ${prometheus.url}
`
}Logs and addresses are in ${dataDir} (logs/, stack.json). Ctrl-C stops everything; the data stays.
`;
}

/** Removes the credentials from the address, because browsers ignore them. */
function managementPage(managementUrl: string): string {
  const { origin, username, password } = new URL(managementUrl);
  return `${origin}  user ${username}  password ${decodeURIComponent(password)}`;
}

const READ_EVERY_MS = 1_000;
/** A notice's time is the start of its transaction, so it may become visible after a later notice, but within this time. */
const OVERLAP_MS = 60_000;
const READ_MAX = 100;

/**
 * Reads the database of the webhooks service, because any of its transactions may open a notice. If more than 100 open at once, the
 * latest are printed. `startedAt` is a time before the services started, by the clock of the database.
 */
export function printNotices(
  databaseUrl: string,
  startedAt: Date,
  log: (line: string) => void,
): Pick<Repetition, "stop"> {
  const logger = createLogger("start", "silent");
  const postgres = connectPostgres<Tables>({ url: databaseUrl, name: "start", connectionsMax: 1, logger });
  let from = startedAt;
  let printed: ReadonlySet<string> = new Set();
  const reading = repeat(async () => {
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
