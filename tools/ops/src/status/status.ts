// `ops status`: the whole platform on one page, and what needs somebody (interface §9).
import type { Command } from "commander";
import type { Operator } from "../arguments.ts";
import { table } from "../table.ts";
import { type Need, needsOf } from "./needs.ts";
import { readStatus, type Status } from "./read-status.ts";

export function addStatusCommand(program: Command, operator: Operator): void {
  program
    .command("status")
    .description("the whole platform on one page, and what needs somebody")
    .action(async () => {
      const status = await readStatus(operator);
      const needs = needsOf(status);
      operator.print({ ...status, needs }, pageOf(status, needs));
    });
}

function pageOf(status: Status, needs: readonly Need[]): string {
  const { processes, broker, deliveries, tenantsNearQuota, certificates, secrets } = status;
  const databases = Object.values(status.databases).filter((database) => database !== null);
  return [
    table(
      processes.map(({ service, version, isReady, missing, since, url }) => ({
        service,
        version,
        ready: isReady ? "yes" : "no",
        missing: missing.join(", ") || "-",
        since,
        url,
      })),
      "No addresses of services: set GATEWAY_URL, ORDERS_URL, CONTENT_URL and WEBHOOKS_URL.",
    ),
    table(
      databases.map(({ service, version, connections, connectionsMax, bytes, standbys, outbox }) => ({
        ...{ database: service, version, connections: `${connections} of ${connectionsMax}` },
        ...{ size: sizeOf(bytes), standbys: standbys.join(", ") || "-" },
        unpublished: outbox.pending,
        oldest: `${Math.round(outbox.oldestSeconds)} s`,
        parked: outbox.parked,
      })),
      "No database can be reached.",
    ),
    broker &&
      `Broker: RabbitMQ ${broker.version}, ${broker.queues} queues with ${broker.messages} messages, ${broker.poison} of them unreadable; ${broker.alarms.join(", ") || "no alarms"}.`,
    deliveries &&
      `Deliveries: the oldest waits for ${Math.round(deliveries.oldestWaitingSeconds)} s, ${deliveries.dead} failed for good; ${deliveries.endpointsDown} endpoints are down; open notices: ${noticesOf(deliveries.notices)}.`,
    tenantsNearQuota !== null && `Quotas: ${tenantsNearQuota} tenants are near one.`,
    ...certificates.map(
      ({ name, ageDays, daysLeft }) => `Certificate ${name}: ${ageDays} days old, ${daysLeft} left.`,
    ),
    ...secrets.map(({ name, ageDays }) => `Secrets in ${name}: ${ageDays} days old.`),
    needs.length === 0
      ? "Nothing needs you."
      : ["Needs somebody:", ...needs.map(({ what, see }) => `  ${what}: ${see}`)].join("\n"),
  ]
    .filter((part) => typeof part === "string")
    .join("\n\n");
}

function noticesOf(notices: Readonly<Record<string, number>>): string {
  const shown = Object.entries(notices).map(([kind, count]) => `${count} ${kind}`);
  return shown.join(", ") || "none";
}

function sizeOf(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`;
}
