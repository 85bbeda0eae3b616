import http from "node:http";
import { listenLocally } from "./listen-locally.ts";

interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, string>>;
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: string;
}
interface Attribute {
  readonly key: string;
  readonly value: Value;
}
interface Traces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, "service" | "attributes"> & {
        readonly attributes: readonly Attribute[];
      })[];
    }[];
  }[];
}

export type CollectorBehaviour = "takes" | "refuses" | "hangs";

/** An OpenTelemetry collector that keeps spans; `url` is for OTEL_EXPORTER_OTLP_ENDPOINT. */
export async function startCollector(behaviour: CollectorBehaviour = "takes") {
  const spans: CollectedSpan[] = [];
  let requestCount = 0;
  const server = http.createServer(async (req, res) => {
    requestCount += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    if (behaviour === "hangs") return;
    if (behaviour === "takes" && req.url === "/v1/traces")
      spans.push(...read(JSON.parse(Buffer.concat(chunks).toString())));
    res.writeHead(behaviour === "takes" ? 200 : 503, { "content-type": "application/json" }).end("{}");
  });
  const { url, stop } = await listenLocally(server);
  return { url, stop, spans, requestCount: () => requestCount };
}

function read({ resourceSpans }: Traces): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = valuesOf(resource.attributes)["service.name"] ?? "";
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ ...span, service, attributes: valuesOf(span.attributes) })),
    );
  });
}

function valuesOf(attributes: readonly Attribute[]): Record<string, string> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? ""]),
  );
}
