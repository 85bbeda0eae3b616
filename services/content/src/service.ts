// The content service: content types and entries, redirects, and media. Tenants subscribe to its events.
//
// Cast. Each wing has its routes. `content-type/` defines the fields of entries. In `entry/`, `write-draft` writes drafts and
// their revisions, `publish-revision` publishes and unpublishes them, and `start-publishing-due` publishes scheduled ones that
// are due. In `redirect/`, `write-redirect` creates redirects, and `retarget-redirects` changes them when a live entry moves.
// Each change writes its event in the same transaction. In `media/`, an upload streams into the `storage/`, then `media-store`
// creates the asset, and the event `media.uploaded` wakes `start-image-processing`: tenants take turns, and `start-decoders`
// decodes each image in a separate process. The `janitor` deletes files that belong to no asset. The relay publishes the
// outbox, which has entries for the audit log too. `canary` commits events that show whether the platform delivers.
// `startDeletingExpiredRecords` deletes the records of Idempotency-Keys after 24 hours.
//
// Guarantees. A change, its event and the record of its Idempotency-Key commit together or not at all; a request that changes
// nothing writes no event. A scheduled revision goes live once, by the database's clock, with the data that it had when it was
// scheduled. A tenant's redirects never form a loop. Every asset has its file, and a file without an asset is deleted, even
// after a crash. An image becomes `ready` or `failed`, once, even if it crashes its decoder. A request sees and changes only
// the rows of its tenant: every statement names the tenant, and row-level security enforces it.
import { startChangeFeed } from "@tradepost/change-feed";
import { feedOnlyTypes, isSubscribable, subscribableTypes } from "@tradepost/event-catalog";
import { behindGateway, openService } from "@tradepost/http";
import { startDeletingExpiredRecords } from "@tradepost/idempotency";
import { auditTallyRoute, checkBroker, countQuotaRefusals, startRelay } from "@tradepost/messaging";
import { connectService, isDatabaseUnavailable } from "@tradepost/postgres";
import { databaseAddress, type Logger, withBrokerCa } from "@tradepost/runtime";
import { startCanaries } from "./canary.ts";
import { DATABASE, type Settings } from "./config.ts";
import { startPublishingDue } from "./entry/entry.ts";
import { StorageUnavailable, startMedia } from "./media/media.ts";
import { contentUsage, routes } from "./routes.ts";
import type { Tables } from "./tables.ts";

const [WORKER_ROLE, TENANTS_ROLE] = DATABASE.roles;

export async function startContent(settings: Settings, logger: Logger) {
  await using opening = await openService("content", settings, logger);
  const { metrics, tracer, started } = opening;
  const amqpUrl = withBrokerCa(settings.AMQP_URL, settings.AMQP_CA_FILE);
  const url = databaseAddress(settings.CONTENT_DATABASE_URL, settings);
  const database = { url, prepare: settings.POSTGRES_PREPARE };
  const { migration, tenants, workers } = started(
    await connectService<Tables>({
      ...database,
      folder: DATABASE.folder,
      tenants: { role: TENANTS_ROLE, name: "content", connectionsMax: 16 },
      workers: { role: WORKER_ROLE, name: "content.workers", connectionsMax: 2 },
      metrics,
      tracer,
      logger,
    }),
  );
  started(startDeletingExpiredRecords(workers.pool, logger));
  const relay = started(
    startRelay({
      service: "content",
      database: { ...database, role: WORKER_ROLE },
      amqpUrl,
      mustRoute: isSubscribable,
      feedOnlyTypes,
      auditEntries: "beside events",
      // Cursors of the feed expire by the day.
      keepDays: settings.EVENTS_KEEP_DAYS + 1,
      ...(settings.EVENTS_TALLY_EVERY_MS > 0 && {
        tally: { types: subscribableTypes, everyMs: settings.EVENTS_TALLY_EVERY_MS },
      }),
      logger,
      metrics,
      tracer,
    }),
  );
  const feed = started(
    startChangeFeed({
      service: "content",
      database,
      tenantsRole: TENANTS_ROLE,
      watchRole: WORKER_ROLE,
      keepDays: settings.EVENTS_KEEP_DAYS,
      metrics,
      logger,
    }),
  );
  started(startPublishingDue({ db: workers.db, tenants, onCommit: relay.wake, logger }));
  const media = started(
    await startMedia({
      settings,
      db: workers.db,
      tenants,
      amqpUrl,
      onCommit: relay.wake,
      logger,
      metrics,
    }),
  );
  if (settings.CANARY_EVERY_MS > 0) {
    const everyMs = settings.CANARY_EVERY_MS;
    started(startCanaries({ db: workers.db, tenants, everyMs, onCommit: relay.wake, logger }));
  }
  const http = started(
    opening.serve({
      ...behindGateway(settings.GATEWAY_SECRET, opening),
      onRefused: countQuotaRefusals(opening.metrics),
      routes: [
        ...routes({
          tenants,
          feed,
          onCommit: relay.wake,
          firstEvents: relay,
          storage: media.storage,
          paceFile: media.paceFile,
          linkSecrets: settings.CONTENT_MEDIA_LINK_SECRETS,
          onLeftovers: media.onLeftovers,
        }),
        ...contentUsage(tenants, workers.pool),
        auditTallyRoute(workers.pool),
      ],
      readiness: { database: tenants.ping },
      replicated: tenants.replicated,
      // Events wait in the outbox, images in their queue.
      degradedWithout: { broker: () => checkBroker(metrics, relay.isUp() && media.isUp()) },
      isUnavailable: (error) => isDatabaseUnavailable(error) || error instanceof StorageUnavailable,
      onStop: feed.endWaits,
    }),
  );
  return { url: http.url, migration, ...opening.run() };
}
