// The door of this wing: POST /mcp, the Model Context Protocol, for assistants that act with an API key (interface §13).
//
// Cast. `identify` has admitted the request. `refuse-message` refuses it or `serve-message` speaks the protocol. `run-tool` runs
// a tool of the `catalog`, whose requests `service-calls` makes through the forwarder, as the caller. `untrusted-text` marks what
// strangers wrote. `confirmation` makes refunds and cancellations need two calls.
//
// Guarantees. A tool can do nothing that its caller cannot do over HTTP, and nothing with keys, staff, modules or subscriptions.
// No token reaches a service or a result. Nothing is kept between two requests.
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
import type { Logger } from "@tradepost/runtime";
import type { Settings } from "../config.ts";
import type { RequestSender } from "../entry/entry.ts";
import { type DescribedTenant, type Signer, signerFor } from "../identity/identity.ts";
import { type CountLimited, rateLimited } from "../limits/limits.ts";
import { VIEWER } from "../requirements.ts";
import { TOOLS } from "./catalog.ts";
import { CONFIRMATION_BYTES } from "./confirmation.ts";
import { refusalOf, refuseForeignOrigin } from "./refuse-message.ts";
import { runTool } from "./run-tool.ts";
import type { Session } from "./serve-message.ts";
import { type Caller, serviceCalls } from "./service-calls.ts";
import { availabilityOf, type ToolContext } from "./tool.ts";

interface McpOptions {
  readonly requests: RequestSender;
  readonly checkCaller: (context: Pick<RequestContext, "req">) => Promise<void>;
  readonly settings: Pick<Settings, "TOKEN_SIGNING_KEYS" | "MCP_ALLOWED_ORIGINS">;
  readonly describeTenant: (tenantId: string) => Promise<DescribedTenant | null>;
  readonly countLimited: CountLimited;
  readonly logger: Logger;
}

// Each is a request in progress, of which a tenant may have 32.
const WAITS_OF_TENANT_MAX = 8;
const WAIT_AGAIN_SECONDS = "5";

/** Not in the API description: the protocol describes its tools itself. */
export function mcpRoute(options: McpOptions): Route {
  const { TOKEN_SIGNING_KEYS } = options.settings;
  const mcp = {
    ...options,
    confirmationSigner: signerFor("mcp confirmation", TOKEN_SIGNING_KEYS, CONFIRMATION_BYTES),
    takeWait: inFlightLimit(
      {
        inProgressMax: Number.POSITIVE_INFINITY,
        inProgressOfTenantMax: WAITS_OF_TENANT_MAX,
        ...{ waitingMax: 0, waitingOfTenantMax: 0, waitMsMax: 0 },
      },
      () => {
        options.countLimited("tenant_concurrency");
        return rateLimited("Too many calls of this tenant wait for events.", WAIT_AGAIN_SECONDS);
      },
    ),
  };
  return route("POST /mcp", {
    ...VIEWER,
    about: null,
    // A foreign origin gets 403 before any error in the body.
    readsBodyItself: true,
    handle: handleMcp(mcp),
  });
}

interface Mcp extends McpOptions {
  readonly confirmationSigner: Signer;
  readonly takeWait: AcquireSlot;
}

type McpRequest = ApiRequest<undefined, undefined>;

function handleMcp(mcp: Mcp) {
  return async (request: McpRequest): Promise<ApiResponse> => {
    refuseForeignOrigin(request.raw, mcp.settings.MCP_ALLOWED_ORIGINS);
    const { json } = await readJsonText(request.raw);
    const refusal = refusalOf(json);
    if (refusal !== null) return invalidRequest(json, refusal);
    const caller = callerOf(request);
    const { serveMessage } = await import("./serve-message.ts");
    const message = { json, headers: protocolHeaders(request) };
    const checkCaller = () => mcp.checkCaller({ req: request.raw });
    return await responseOf(await serveMessage(message, sessionOf(mcp, caller, checkCaller)), caller);
  };
}

function sessionOf(mcp: Mcp, caller: Caller, checkCaller: ToolContext["checkCaller"]): Session {
  const context = { ...toolContext(mcp, caller), checkCaller };
  return {
    listed: context.tools.available,
    callTool: (name, args) => {
      const tool = TOOLS.find((one) => one.name === name);
      return tool === undefined ? null : runTool(tool, args, context, caller, mcp.logger);
    },
    onError: (error) => mcp.logger.debug({ err: error }, "refused a message to /mcp"),
  };
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

function toolContext(mcp: Mcp, caller: Caller): Omit<ToolContext, "checkCaller"> {
  const { principal } = caller;
  return {
    principal,
    services: serviceCalls(mcp.requests, caller),
    confirmationSigner: mcp.confirmationSigner,
    describeTenant: async () => required(await mcp.describeTenant(principal.tenantId), "tenant"),
    tools: availabilityOf(TOOLS, principal),
    beginWait: async () => await mcp.takeWait(principal.tenantId, caller.socket),
  };
}

const PROTOCOL_HEADERS = ["mcp-protocol-version", "mcp-method", "mcp-name"];

/** Without the credential. */
function protocolHeaders({ raw }: Pick<McpRequest, "raw">): Record<string, string> {
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
