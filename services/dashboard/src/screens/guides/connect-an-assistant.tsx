import { Link } from "@tanstack/react-router";
import { CodeBlock } from "../../ui/code.tsx";
import { Section } from "../../ui/screen.tsx";
import { KeyNote, mcpConfiguration, useOwnValues } from "./door.tsx";

export function ConnectAnAssistant() {
  const { origin, key } = useOwnValues();
  return (
    <>
      <p>
        An assistant connects to <code>{origin}/mcp</code> with a key of its own. It gets tools for what the
        scopes of the key permit: begin with “Read only”.
      </p>
      <Section title="Claude Code">
        <CodeBlock
          text={`claude mcp add --transport http tradepost ${origin}/mcp --header "Authorization: Bearer ${key}"`}
          what="the command"
        />
        <KeyNote />
      </Section>
      <Section title="Cursor and most others">
        <p>
          In <code>.cursor/mcp.json</code>, or where the assistant keeps its servers:
        </p>
        <CodeBlock text={mcpConfiguration(origin, key)} what="the configuration" />
      </Section>
      <Section title="Visual Studio Code">
        <p>
          In <code>.vscode/mcp.json</code>. It asks for the key once, and stores it encrypted:
        </p>
        <CodeBlock text={visualStudioCode(origin)} what="the configuration" />
      </Section>
      <Section title="OpenAI Codex">
        <p>
          In <code>~/.codex/config.toml</code>, with the key in the environment:
        </p>
        <CodeBlock text={codex(origin)} what="the configuration" />
      </Section>
      <Section title="What to know">
        <ul>
          <li>
            Ask it “Who are you in Tradepost?”. It then says which tools work, and why others are missing.
          </li>
          <li>
            What it does has its key’s name: in the timeline of an order, and under{" "}
            <Link to="/requests">Requests</Link>. Revoking the key ends it at once.
          </li>
          <li>Refunds and cancellations need a second call that confirms the first.</li>
          <li>
            Customers’ texts may try to give it orders. Give it no scope that you would not give to someone
            who can be talked into things.
          </li>
        </ul>
      </Section>
    </>
  );
}

function visualStudioCode(origin: string): string {
  const id = "tradepost-key";
  const input = { id, type: "promptString", description: "Tradepost API key", password: true };
  const tradepost = {
    type: "http",
    url: `${origin}/mcp`,
    headers: { Authorization: `Bearer \${input:${id}}` },
  };
  return JSON.stringify({ inputs: [input], servers: { tradepost } }, null, 2);
}

function codex(origin: string): string {
  return `[mcp_servers.tradepost]
url = "${origin}/mcp"
bearer_token_env_var = "TRADEPOST_API_KEY"`;
}
