export type McpClient = Awaited<ReturnType<typeof connectMcp>>;

export const mcpClients = ["2026-07-28", "2025 revisions"] as const;

const IDENTITY = { name: "tradepost-tests", version: "1" };

export async function connectMcp(
  url: string,
  token: string,
  kind: (typeof mcpClients)[number] = "2026-07-28",
) {
  const endpoint = new URL("/mcp", url);
  const options = { requestInit: { headers: { authorization: `Bearer ${token}` } } };
  const client = await clientOf(endpoint, options, kind);
  return {
    instructions: client.getInstructions() ?? "",
    // biome-ignore lint/suspicious/noExplicitAny: types for all tools would describe them a second time
    listTools: async (): Promise<any[]> => (await client.listTools()).tools,
    call: async (name: string, args: Record<string, unknown> = {}) =>
      resultOf(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}

async function clientOf(endpoint: URL, options: { requestInit: RequestInit }, kind: string) {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const mode = kind === "2026-07-28" ? { pin: kind } : ("legacy" as const);
  const client = new Client(IDENTITY, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(endpoint, options));
  return client;
}

function resultOf(result: { [field: string]: unknown }) {
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
