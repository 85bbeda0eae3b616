export interface McpResult {
  readonly isError: boolean;
  readonly text: string;
  /** For people. */
  readonly summary: string;
  /** For a failure, its `error` object. */
  // biome-ignore lint/suspicious/noExplicitAny: types for all results would describe the tools a second time
  readonly data: any;
}

export interface McpClient {
  readonly instructions: string;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  listTools(): Promise<any[]>;
  call(name: string, args?: Record<string, unknown>): Promise<McpResult>;
  close(): Promise<void>;
}

/** Two revisions of the protocol, and the older package. */
export const mcpClients = ["2026-07-28", "2025 revisions", "the older package"] as const;

const IDENTITY = { name: "tradepost-tests", version: "1" };

export async function connectMcp(
  url: string,
  token: string,
  kind: (typeof mcpClients)[number] = "2026-07-28",
  headers: Record<string, string> = {},
): Promise<McpClient> {
  const endpoint = new URL("/mcp", url);
  const options = { requestInit: { headers: { authorization: `Bearer ${token}`, ...headers } } };
  const client =
    kind === "the older package" ? await older(endpoint, options) : await newer(endpoint, options, kind);
  return {
    instructions: client.getInstructions() ?? "",
    listTools: async () => (await client.listTools()).tools,
    call: async (name, args = {}) => resultOf(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}

type Options = { requestInit: RequestInit };

async function newer(endpoint: URL, options: Options, kind: string) {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const mode = kind === "2026-07-28" ? { pin: kind } : ("legacy" as const);
  const client = new Client(IDENTITY, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(endpoint, options));
  return client;
}

async function older(endpoint: URL, options: Options) {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StreamableHTTPClientTransport } = await import(
    "@modelcontextprotocol/sdk/client/streamableHttp.js"
  );
  const client = new Client(IDENTITY);
  // The package's own types conflict under exactOptionalPropertyTypes.
  await client.connect(new StreamableHTTPClientTransport(endpoint, options) as never);
  return client;
}

function resultOf(result: { [field: string]: unknown }): McpResult {
  const texts = (result.content as { text: string }[]).map(({ text }) => text);
  const [summary = "", json = ""] = texts;
  const isError = result.isError === true;
  return {
    isError,
    summary,
    text: texts.join("\n"),
    data: isError ? JSON.parse(json).error : result.structuredContent,
  };
}
