// Decides what needs somebody, and what to do about it, by the same limits as the alerts (deploy/observability/rules).
import type { Aged, Broker, Database, Deliveries, Process, Status } from "./read-status.ts";

export interface Need {
  readonly what: string;
  /** A command, or a page of docs/runbooks. */
  readonly see: string;
}

const OUTBOX_OLD_SECONDS = 60;
const DELIVERY_LATE_SECONDS = 300;
const CONNECTIONS_NEAR = 0.8;
const CERTIFICATE_ENDS_DAYS = 14;

/** The most urgent first. */
export function needsOf(status: Status): Need[] {
  const { processes, databases, broker, deliveries, tenantsNearQuota, certificates } = status;
  const versions = [...new Set(processes.flatMap(({ version }) => version ?? []))].sort();
  return [
    ...processes.flatMap(needsOfProcess),
    ...need(
      versions.length > 1,
      `releases ${versions.join(" and ")} run beside each other`,
      runbook("upgrade-and-rollback"),
    ),
    ...Object.entries(databases).flatMap(([service, database]) => needsOfDatabase(service, database)),
    ...needsOfBroker(broker),
    ...(deliveries === null ? [] : needsOfDeliveries(deliveries)),
    ...counted(
      tenantsNearQuota ?? 0,
      "tenants have nearly used up a quota",
      "npm run ops -- notices list --open --kind quota_near",
    ),
    ...certificates.flatMap(needsOfCertificate),
  ];
}

function need(isNeeded: boolean, what: string, see: string): Need[] {
  return isNeeded ? [{ what, see }] : [];
}

function counted(count: number, what: string, see: string): Need[] {
  return need(count > 0, `${count} ${what}`, see);
}

function runbook(page: string): string {
  return `docs/runbooks/${page}.md`;
}

function needsOfProcess({ service, url, isReady, missing }: Process): Need[] {
  const at = `${service} at ${url}`;
  if (missing.includes("does not respond"))
    return need(true, `${at} does not respond`, runbook("service-missing"));
  return need(
    !isReady || missing.length > 0,
    `${at} is ${isReady ? "ready without" : "not ready"}: ${missing.join(", ")}`,
    runbook(missing.includes("broker") ? "broker-disconnected" : "database-unavailable"),
  );
}

function needsOfDatabase(service: string, database: Database | null): Need[] {
  const away = runbook("database-unavailable");
  if (database === null) return need(true, `the database of ${service} cannot be reached`, away);
  const { connections, connectionsMax, waitsForStandby, hasSyncStandby, outbox } = database;
  return [
    ...need(
      connections >= connectionsMax * CONNECTIONS_NEAR,
      `the database of ${service} has ${connections} of ${connectionsMax} connections`,
      runbook("database-pool-exhausted"),
    ),
    ...need(
      waitsForStandby && !hasSyncStandby,
      `commits of ${service} wait for a standby, and none is connected`,
      away,
    ),
    ...need(
      outbox.oldestSeconds > OUTBOX_OLD_SECONDS,
      `the oldest of ${outbox.pending} events of ${service} waits for ${Math.round(outbox.oldestSeconds)} s to be published`,
      runbook("outbox-old"),
    ),
    ...counted(outbox.parked, `events of ${service} are parked`, "npm run ops -- outbox"),
  ];
}

function needsOfBroker(broker: Broker | null): Need[] {
  if (broker === null) return need(true, "the broker cannot be reached", runbook("broker-disconnected"));
  return [
    ...broker.alarms.flatMap((alarm) => need(true, `the broker's ${alarm}`, runbook("broker-blocked"))),
    ...counted(broker.poison, "messages could not be read", "npm run ops -- poison list"),
  ];
}

function needsOfDeliveries({ oldestWaitingSeconds, dead, endpointsDown, notices }: Deliveries): Need[] {
  const { quota_near: _, ...others } = notices;
  const open = Object.values(others).reduce((sum, count) => sum + count, 0);
  return [
    ...need(
      oldestWaitingSeconds > DELIVERY_LATE_SECONDS,
      `a delivery has waited for ${Math.round(oldestWaitingSeconds)} s to be sent`,
      runbook("deliveries-late"),
    ),
    ...counted(dead, "deliveries failed for good", "npm run ops -- dead list"),
    ...counted(endpointsDown, "endpoints are down", runbook("endpoints-failing")),
    ...counted(open, "notices are open", "npm run ops -- notices list --open"),
  ];
}

function needsOfCertificate({ name, daysLeft }: Aged): Need[] {
  const ends = daysLeft !== null && daysLeft <= CERTIFICATE_ENDS_DAYS;
  return need(ends, `the certificate of ${name} ends in ${daysLeft} days`, runbook("rotating-secrets"));
}
