// The Model Context Protocol over streamable HTTP, stateless: each message gets a server of its own, which knows only the
// caller's tools. Clients of all revisions from 2025 to 2026-07-28 are served alike. Loaded with the first request,
// because the package takes 14 MB of memory.
import { createRequire } from "node:module";
import {
  createMcpHandler,
  isLegacyRequest,
  type jsonSchemaValidator,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { INSTRUCTIONS, listedOnce } from "./catalog.ts";
import type { CallResult } from "./run-tool.ts";
import type { Tool } from "./tool.ts";

interface Session {
  readonly listed: readonly Tool[];
  readonly callTool: (name: string, args: unknown) => Promise<CallResult> | null;
  readonly onError: (error: Error) => void;
}

// All packages of a release have the same version.
const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };
const IMPLEMENTATION = { name: "tradepost", title: "Tradepost", version };

// A server validates only replies to its own requests, and this server sends no requests.
const NO_VALIDATOR: jsonSchemaValidator = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "not supported" }),
};

// Responses are always JSON, so no client is refused for the types it accepts.
const ACCEPT = "application/json, text/event-stream";
const URL_OF_REQUESTS = "http://gateway/mcp";

export async function serveMessage(
  { json, headers }: { readonly json: unknown; readonly headers: Readonly<Record<string, string>> },
  session: Session,
): Promise<Response> {
  const request = new Request(URL_OF_REQUESTS, {
    method: "POST",
    headers: { ...headers, accept: ACCEPT, "content-type": "application/json" },
  });
  const options = { parsedBody: json };
  if (await isLegacyRequest(request, json)) return await serveLegacy(request, options, session);
  return await createMcpHandler(() => serverFor(session), {
    legacy: "reject",
    onerror: session.onError,
  }).fetch(request, options);
}

/** The package's own handler for the older revisions responds with event streams. */
async function serveLegacy(
  request: Request,
  options: { parsedBody: unknown },
  session: Session,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = serverFor(session);
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, options);
  } finally {
    await server.close();
  }
}

function serverFor({ listed, callTool, onError }: Session): Server {
  const server = new Server(IMPLEMENTATION, {
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
    jsonSchemaValidator: NO_VALIDATOR,
  });
  server.onerror = onError;
  server.setRequestHandler("tools/list", () => ({ tools: listed.map(listedOnce) }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const result = await callTool(params.name, params.arguments);
    if (result === null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool.");
    return result;
  });
  return server;
}
