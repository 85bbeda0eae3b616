// The content service: the source of the events that tenants subscribe to.
//
// Cast. `content-type` says which fields entries have. `write-entry` makes drafts and their revisions, `publish-entry` takes
// them live and down, `publish-due` those whose time has come. `redirect-store` keeps redirects, `move-redirects` those from where
// a live entry was. Each change writes its event in the same transaction, its payload taken there. An upload streams into
// the `storage`, then `media-store` adds the asset, and `media.uploaded` wakes `start-images`: tenants take turns, and each
// image is decoded by `run-decoder` in a process of its own, which becomes the derivatives. The `janitor` removes files that
// belong to no asset. The relay publishes what the outbox holds. Where it is wanted, the `canary` commits an event that only
// shows that it gets through.
//
// Guarantees. A change and its event commit together or not at all; what changes nothing has no event. What is scheduled
// goes live once, by the database's clock, as it was when it was scheduled. A tenant's redirects never form a loop. An
// asset has its file, and a file that has no asset is removed, whatever dies in between; an image ends ready or failed,
// once, whatever its bytes do to the process that decodes it. A tenant's request sees and touches that tenant's rows alone: every statement says so, and row-level security
// holds it to it.
import { isSubscribable } from "@tradepost/event-catalog";
import { identifyBySignature, serveHttp, startListening } from "@tradepost/http";
import { startRelay } from "@tradepost/messaging";
import {
  connectPostgres,
  connectTenants,
  isDatabaseUnavailable,
  waitForMigrations,
} from "@tradepost/postgres";
import { createMetrics, type Logger } from "@tradepost/runtime";
import { startCanaries } from "./canary/write-canaries.ts";
import type { Settings } from "./config.ts";
import { startPublishingDue } from "./entry/publish-due.ts";
import { routes } from "./http/routes.ts";
import { startDecoders } from "./image/run-decoder.ts";
import { startJanitor } from "./media/janitor.ts";
import { processImages } from "./media/process-image.ts";
import { startImages } from "./media/start-images.ts";
import { openStorage } from "./storage/open-storage.ts";
import type { Tables } from "./tables.ts";

const DATABASE_CONNECTIONS_MAX = 16;
const WORKER_CONNECTIONS_MAX = 2;
/** Made by the migrations; see there what each may do. */
const TENANTS_ROLE = "tradepost_content";
const WORKER_ROLE = "tradepost_content_worker";

/** Starts the service; `stop` takes it down in reverse order. */
export async function startContent(settings: Settings, logger: Logger) {
  const listener = await startListening({ host: settings.HOST, port: settings.PORT });
  const running = new AsyncDisposableStack();
  const metrics = createMetrics("content");
  const url = settings.CONTENT_DATABASE_URL;
  const folder = new URL("../migrations/", import.meta.url);
  await waitForMigrations({ url, role: WORKER_ROLE, folder, logger });

  const tenants = connectTenants<Tables>({
    url,
    role: TENANTS_ROLE,
    name: "content",
    connectionsMax: DATABASE_CONNECTIONS_MAX,
    logger,
  });
  running.defer(() => tenants.stop());
  const relay = startRelay({
    service: "content",
    databaseUrl: url,
    databaseRole: WORKER_ROLE,
    amqpUrl: settings.AMQP_URL,
    mustRoute: isSubscribable,
    logger,
    metrics,
  });
  running.defer(() => relay.stop());
  const workers = connectPostgres({
    url,
    role: WORKER_ROLE,
    name: "content.workers",
    connectionsMax: WORKER_CONNECTIONS_MAX,
    logger,
  });
  running.defer(() => workers.stop());
  const publishingDue = startPublishingDue({ pool: workers.pool, tenants, onCommit: relay.wake, logger });
  running.defer(() => publishingDue.stop());
  const storage = await openStorage(settings);
  const janitor = startJanitor({ workers: workers.pool, tenants, storage, logger });
  running.defer(() => janitor.stop());
  const images = startImages({
    takeTurn: processImages({
      tenants,
      storage,
      decode: startDecoders({ pixelsMax: settings.CONTENT_MEDIA_PIXELS_MAX }),
      onCommit: relay.wake,
      onLeftovers: janitor.wake,
      logger,
    }),
    workers: workers.pool,
    amqpUrl: settings.AMQP_URL,
    logger,
  });
  running.defer(() => images.stop());
  if (settings.CANARY_EVERY_MS > 0) {
    const everyMs = settings.CANARY_EVERY_MS;
    const canaries = startCanaries({ tenants, workers: workers.pool, everyMs, onCommit: relay.wake, logger });
    running.defer(() => canaries.stop());
  }
  const http = serveHttp({
    listener,
    idleGraceMs: settings.DRAIN_IDLE_MS,
    routes: routes({ tenants, onCommit: relay.wake, storage, onLeftovers: janitor.wake }),
    identify: identifyBySignature(settings.GATEWAY_SECRET),
    readiness: {
      database: tenants.ping,
      broker: async () => {
        await relay.ping();
        if (!images.isUp()) throw new Error("not connected to the broker");
      },
    },
    isUnavailable: isDatabaseUnavailable,
    metricsOn: "this port",
    metrics,
    logger,
  });
  running.defer(() => http.stop());
  return { url: http.url, stop: () => running.disposeAsync() };
}
