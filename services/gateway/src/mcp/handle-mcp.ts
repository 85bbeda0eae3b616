// POST /mcp: the Model Context Protocol, for assistants that act with an API key (interface §13).
//
// Cast. `authenticate` has admitted the request like any other. `origin` refuses pages of other origins. `serve-message` speaks
// the protocol. `catalog` lists the tools; `run-tool` runs one, which makes its requests with `service-calls` through the
// gateway's forwarder, as the caller. `untrusted-text` marks what strangers wrote. `confirmation` makes refunds and
// cancellations need two calls.
//
// Guarantees. A tool can do nothing that its caller cannot do over HTTP, and nothing with keys, staff, modules or
// subscriptions. No token reaches a service or a result. Nothing is kept between two requests.
import {
  ApiError,
  type ApiRequest,
  type ApiResponse,
  invalid,
  notFound,
  type Route,
  route,
} from "@tradepost/http";
import { isRawNumber, type Logger } from "@tradepost/runtime";
import type { OwnRequests } from "../forward/forward.ts";
import type { Signer } from "../session/signer.ts";
import type { TenantDetails } from "../tenant/tenant-store.ts";
import { TOOLS } from "./catalog.ts";
import { refuseForeignOrigin } from "./origin.ts";
import { runTool } from "./run-tool.ts";
import { type Caller, serviceCalls } from "./service-calls.ts";
import { availabilityOf, type ToolContext } from "./tool.ts";

export interface Mcp {
  readonly requests: OwnRequests;
  readonly confirmationSigner: Signer;
  readonly findTenant: (tenantId: string) => Promise<TenantDetails | null>;
  /** The origins of pages that may use /mcp; undefined means the gateway's own. */
  readonly allowedOrigins: readonly string[] | undefined;
  readonly logger: Logger;
}

/** The route of the protocol. It is in no description of the API: the protocol describes its tools itself. */
export function mcpRoute(mcp: Mcp): Route {
  return route<unknown>({
    method: "POST",
    path: "/mcp",
    module: null,
    role: "viewer",
    scope: null,
    about: null,
    // The protocol validates the message.
    body: (json, otherFaults) => {
      if (otherFaults.length > 0) throw invalid(otherFaults);
      return json;
    },
    handle: handleMcp(mcp),
  });
}

function handleMcp(mcp: Mcp) {
  return async (request: ApiRequest<unknown, undefined>): Promise<ApiResponse> => {
    refuseForeignOrigin(request.raw, mcp.allowedOrigins);
    const json = singleMessage(request.body);
    const caller = callerOf(request);
    const context = toolContext(mcp, caller);
    const { serveMessage } = await import("./serve-message.ts");
    const response = await serveMessage(
      { json, headers: protocolHeaders(request) },
      {
        listed: context.tools.available,
        callTool: (name, args) => {
          const tool = TOOLS.find((one) => one.name === name);
          return tool === undefined ? null : runTool(tool, args, context, caller, mcp.logger);
        },
        onError: (error) => mcp.logger.debug({ err: error }, "refused a message to /mcp"),
      },
    );
    return await responseOf(response, caller);
  };
}

/**
 * A batch would be many requests for the price of one. A subscription would be a stream, and nothing here ever changes while
 * one is open.
 */
function singleMessage(json: unknown): unknown {
  if (typeof json !== "object" || json === null || isRawNumber(json) || Array.isArray(json)) {
    throw new ApiError("bad_request", "The body must be one JSON-RPC message; batches are not supported.");
  }
  if ((json as { method?: unknown }).method === "subscriptions/listen") {
    throw new ApiError("bad_request", "Subscriptions are not supported; list the tools again instead.");
  }
  return json;
}

function callerOf({ principal, requestId, traceparent, raw }: ApiRequest<unknown, undefined>): Caller {
  return { principal, requestId, traceparent, socket: raw.socket, responseHeaders: {} };
}

function toolContext(mcp: Mcp, caller: Caller): ToolContext {
  const { principal } = caller;
  return {
    principal,
    services: serviceCalls(mcp.requests, caller),
    confirmationSigner: mcp.confirmationSigner,
    describeTenant: async () => {
      const tenant = await mcp.findTenant(principal.tenantId);
      if (tenant === null) throw notFound("tenant");
      return tenant;
    },
    tools: availabilityOf(TOOLS, principal),
  };
}

const PROTOCOL_HEADERS = ["mcp-protocol-version", "mcp-method", "mcp-name"];

/** Only these get past this point: no credential does. */
function protocolHeaders({ raw }: Pick<ApiRequest<unknown, undefined>, "raw">): Record<string, string> {
  return Object.fromEntries(
    PROTOCOL_HEADERS.flatMap((name) =>
      raw.headers[name] === undefined ? [] : [[name, String(raw.headers[name])]],
    ),
  );
}

async function responseOf(response: Response, { responseHeaders }: Caller): Promise<ApiResponse> {
  const contentType = response.headers.get("content-type");
  return {
    status: response.status,
    headers: { ...responseHeaders, ...(contentType !== null && { "content-type": contentType }) },
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}
