import { createMetrics, type Logger, type Metrics, RELEASE, REVISION, startTracer } from "@tradepost/runtime";
import { refusedSignatures } from "./refused-signatures.ts";
import { type HttpOptions, serveHttp } from "./serve-http.ts";
import { identifyBySignature } from "./signed-principal.ts";
import { startListening } from "./start-listening.ts";

interface ServiceSettings {
  readonly HOST: string;
  readonly PORT: number;
  readonly DRAIN_IDLE_MS: number;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
}

/**
 * Starts a tracer, and opens the port, so that probes get a response while the service starts. Disposing of the result stops every part,
 * unless `run` was called: a start that fails leaves nothing behind.
 * @throws a StartError if the port cannot be opened.
 */
export async function openService(name: string, settings: ServiceSettings, logger: Logger) {
  const listener = await startListening({ host: settings.HOST, port: settings.PORT });
  const parts = new AsyncDisposableStack();
  parts.defer(() => listener.close());
  const metrics = createMetrics(name);
  metrics
    .gauge("build_info", "1, with the release and the commit of the running code.", ["version", "revision"])
    .set({ version: RELEASE, revision: REVISION }, 1);
  const tracer = startTracer({
    service: name,
    endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    ...{ metrics, logger },
  });
  parts.defer(() => tracer.stop());
  return {
    ...{ metrics, tracer, logger },
    started: <Started extends { stop(): Promise<unknown> }>(part: Started) => {
      parts.defer(async () => void (await part.stop()));
      return part;
    },
    /** Serves the routes on the open port. The caller adds the server to the parts. */
    serve: (options: Omit<HttpOptions, "listener" | "idleGraceMs" | "metrics" | "tracer" | "logger">) =>
      serveHttp({ ...options, listener, idleGraceMs: settings.DRAIN_IDLE_MS, metrics, tracer, logger }),
    /** Ends the start. `stop` stops the latest part first. */
    run: () => {
      const running = parts.move();
      return { stop: () => running.disposeAsync() };
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Callers are known by the gateway's signature (interface §9). */
export function behindGateway(
  secrets: readonly string[],
  { metrics, logger }: { metrics: Metrics; logger: Logger },
) {
  return {
    identify: identifyBySignature(secrets, refusedSignatures(metrics, logger)),
    metricsOn: "this port",
    namesRoutes: true,
  } as const;
}
