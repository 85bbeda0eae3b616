// The door of this wing: POST /mcp, the Model Context Protocol, for assistants that act with an API key (interface §13).
//
// Cast. `identify` has admitted the request. `refuse-message` refuses it or `serve-message` speaks the protocol. `run-tool` runs
// a tool of the `catalog`, whose requests `service-calls` makes through the forwarder, as the caller. `untrusted-text` marks what
// strangers wrote. `confirmation` makes refunds and cancellations need two calls.
//
// Guarantees. A tool can do nothing that its caller cannot do over HTTP, and nothing with keys, staff, modules or subscriptions.
// No token reaches a service or a result. Nothing is kept between two requests.
import type { IncomingMessage } from "node:http";
import {
  type AcquireSlot,
  type ApiRequest,
  type ApiResponse,
  inFlightLimit,
  type RequestContext,
  type Route,
  readJsonText,
  required,
  route,
} from "@tradepost/http";
import { tenantOf } from "@tradepost/postgres";
import type { Logger } from "@tradepost/runtime";
import type { Kysely } from "kysely";
import type { Settings } from "../config.ts";
import { pickHeaders, type RequestSender } from "../entry/entry.ts";
import { describeTenant, signerFor } from "../identity/identity.ts";
import { type CountLimited, rateLimited } from "../limits/limits.ts";
import { VIEWER } from "../requirements.ts";
import type { Tables } from "../tables.ts";
import { TOOLS } from "./catalog.ts";
import { CONFIRMATION_BYTES } from "./confirmation.ts";
import { refusalOf, refuseForeignOrigin } from "./refuse-message.ts";
import { runTool } from "./run-tool.ts";
import { type Caller, serviceCalls } from "./service-calls.ts";
import { availabilityOf, type ToolContext } from "./tool.ts";

interface McpOptions {
  readonly db: Kysely<Tables>;
  readonly requests: RequestSender;
  readonly checkCaller: (context: Pick<RequestContext, "req">) => Promise<void>;
  readonly settings: Pick<Settings, "TOKEN_SIGNING_KEYS" | "MCP_ALLOWED_ORIGINS">;
  readonly countLimited: CountLimited;
  readonly logger: Logger;
}

type McpRequest = ApiRequest<undefined, undefined>;

/** Not in the API description: the protocol describes its tools itself. */
export function mcpRoute({ db, requests, checkCaller, settings, countLimited, logger }: McpOptions): Route {
  const confirmationSigner = signerFor("mcp confirmation", settings.TOKEN_SIGNING_KEYS, CONFIRMATION_BYTES);
  const takeWait = waitLimit(countLimited);
  const contextOf = (caller: Caller, raw: IncomingMessage): ToolContext => {
    const { principal, socket } = caller;
    const { tenantId } = principal;
    return {
      principal,
      services: serviceCalls(requests, caller),
      confirmationSigner,
      describeTenant: async () => required(await describeTenant(tenantOf(db, tenantId)), "tenant"),
      tools: availabilityOf(TOOLS, principal),
      beginWait: async () => await takeWait(tenantId, socket),
      checkCaller: () => checkCaller({ req: raw }),
    };
  };
  const handle = async (request: McpRequest): Promise<ApiResponse> => {
    refuseForeignOrigin(request.raw, settings.MCP_ALLOWED_ORIGINS);
    const { json } = await readJsonText(request.raw);
    const refusal = refusalOf(json);
    if (refusal !== null) return invalidRequest(json, refusal);
    const caller = callerOf(request);
    const context = contextOf(caller, request.raw);
    const { serveMessage } = await import("./serve-message.ts");
    const message = { json, headers: pickHeaders(request.raw.headers, PROTOCOL_HEADERS) };
    const response = await serveMessage(message, {
      listed: context.tools.available,
      callTool: (name, args) => {
        const tool = TOOLS.find((one) => one.name === name);
        return tool === undefined ? null : runTool(tool, args, context, caller, logger);
      },
      onError: (error) => logger.debug({ err: error }, "refused a message to /mcp"),
    });
    return await responseOf(response, caller);
  };
  // A foreign origin gets 403 before any error in the body.
  return route("POST /mcp", { ...VIEWER, about: null, readsBodyItself: true, handle });
}

// A wait counts as a request in progress, of which a tenant may have 32.
const WAITS_OF_TENANT_MAX = 8;
const WAIT_AGAIN_SECONDS = "5";

function waitLimit(countLimited: CountLimited): AcquireSlot {
  return inFlightLimit(
    {
      inProgressMax: Number.POSITIVE_INFINITY,
      inProgressOfTenantMax: WAITS_OF_TENANT_MAX,
      ...{ waitingMax: 0, waitingOfTenantMax: 0, waitMsMax: 0 },
    },
    () => {
      countLimited("tenant_concurrency");
      return rateLimited("Too many calls of this tenant wait for events.", WAIT_AGAIN_SECONDS);
    },
  );
}

function invalidRequest(json: unknown, message: string): ApiResponse {
  const { id } = (json ?? {}) as { readonly id?: unknown };
  const isId = typeof id === "string" || typeof id === "number";
  return {
    status: 400,
    body: { jsonrpc: "2.0", id: isId ? id : null, error: { code: -32_600, message } },
  };
}

function callerOf({ principal, requestId, traceparent, raw, caused, inTurn }: McpRequest): Caller {
  return { principal, requestId, traceparent, socket: raw.socket, responseHeaders: {}, caused, inTurn };
}

/** The credential is left out. */
const PROTOCOL_HEADERS = ["mcp-protocol-version", "mcp-method", "mcp-name"];

async function responseOf(response: Response, { responseHeaders }: Caller): Promise<ApiResponse> {
  const contentType = response.headers.get("content-type");
  return {
    status: response.status,
    headers: { ...responseHeaders, ...(contentType !== null && { "content-type": contentType }) },
    bytes: Buffer.from(await response.arrayBuffer()),
  };
}
