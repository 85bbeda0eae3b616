// Decides what needs somebody, and what to do about it: the same limits as the alerts (deploy/observability/rules).
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
  return [
    ...processes.flatMap(needsOfProcess),
    ...needsOfReleases(processes),
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

function needsOfProcess({ service, url, isReady, missing }: Process): Need[] {
  if (isReady && missing.length === 0) return [];
  const away = missing.includes("does not respond");
  if (away) return [{ what: `${service} at ${url} does not respond`, see: runbook("service-missing") }];
  const what = `${service} at ${url} is ${isReady ? "ready without" : "not ready"}: ${missing.join(", ")}`;
  return [
    { what, see: runbook(missing.includes("broker") ? "broker-disconnected" : "database-unavailable") },
  ];
}

function needsOfReleases(processes: readonly Process[]): Need[] {
  const versions = [...new Set(processes.flatMap(({ version }) => version ?? []))].sort();
  if (versions.length < 2) return [];
  return [
    {
      what: `releases ${versions.join(" and ")} run beside each other`,
      see: runbook("upgrade-and-rollback"),
    },
  ];
}

function needsOfDatabase(service: string, database: Database | null): Need[] {
  if (database === null)
    return [{ what: `the database of ${service} cannot be reached`, see: runbook("database-unavailable") }];
  const { connections, connectionsMax, waitsForStandby, hasSyncStandby, outbox } = database;
  const needs: Need[] = [];
  if (connections >= connectionsMax * CONNECTIONS_NEAR)
    needs.push({
      what: `the database of ${service} has ${connections} of ${connectionsMax} connections`,
      see: runbook("database-pool-exhausted"),
    });
  if (waitsForStandby && !hasSyncStandby)
    needs.push({
      what: `commits of ${service} wait for a standby, and none is connected`,
      see: runbook("database-unavailable"),
    });
  if (outbox.oldestSeconds > OUTBOX_OLD_SECONDS)
    needs.push({
      what: `the oldest of ${outbox.pending} events of ${service} waits for ${Math.round(outbox.oldestSeconds)} s to be published`,
      see: runbook("outbox-old"),
    });
  return [...needs, ...counted(outbox.parked, `events of ${service} are parked`, "npm run ops -- outbox")];
}

function needsOfBroker(broker: Broker | null): Need[] {
  if (broker === null) return [{ what: "the broker cannot be reached", see: runbook("broker-disconnected") }];
  return [
    ...broker.alarms.map((alarm) => ({ what: `the broker's ${alarm}`, see: runbook("broker-blocked") })),
    ...counted(broker.poison, "messages could not be read", "npm run ops -- poison list"),
  ];
}

function needsOfDeliveries({ oldestWaitingSeconds, dead, endpointsDown, notices }: Deliveries): Need[] {
  const { quota_near: _, ...others } = notices;
  const open = Object.values(others).reduce((sum, count) => sum + count, 0);
  const late =
    oldestWaitingSeconds > DELIVERY_LATE_SECONDS
      ? [
          {
            what: `a delivery has waited for ${Math.round(oldestWaitingSeconds)} s to be sent`,
            see: runbook("deliveries-late"),
          },
        ]
      : [];
  return [
    ...late,
    ...counted(dead, "deliveries failed for good", "npm run ops -- dead list"),
    ...counted(endpointsDown, "endpoints are down", runbook("endpoints-failing")),
    ...counted(open, "notices are open", "npm run ops -- notices list --open"),
  ];
}

function needsOfCertificate({ name, daysLeft }: Aged): Need[] {
  if (daysLeft === null || daysLeft > CERTIFICATE_ENDS_DAYS) return [];
  return [{ what: `the certificate of ${name} ends in ${daysLeft} days`, see: runbook("rotating-secrets") }];
}

function counted(count: number, what: string, see: string): Need[] {
  return count === 0 ? [] : [{ what: `${count} ${what}`, see }];
}

function runbook(page: string): string {
  return `docs/runbooks/${page}.md`;
}
