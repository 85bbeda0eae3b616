import { CodeBlock } from "../../ui/code.tsx";
import { Section } from "../../ui/screen.tsx";
import { KeyNote, useOwnValues } from "./door.tsx";

export function ReadTheFeed() {
  const { origin, key } = useOwnValues();
  return (
    <>
      <p>
        A feed lists every change in the order in which it was saved. Orders have no webhook, so an ERP or a
        warehouse follows <code>/v1/orders/events</code>; <code>/v1/customers/events</code> and{" "}
        <code>/v1/content/events</code> work the same way. Polling a list with <code>createdAfter</code>{" "}
        misses orders that are saved late.
      </p>
      <Section title="Try it">
        <CodeBlock text={tryIt(origin, key)} what="the commands" />
        <p>
          The second command waits up to 20 seconds for the next change. Place an order meanwhile, and it
          arrives at once.
        </p>
        <KeyNote />
      </Section>
      <Section title="In a program">
        <CodeBlock text={follow(origin)} what="the program" />
        <ul>
          <li>
            Save <code>nextCursor</code> in the transaction that applies the page.
          </li>
          <li>
            Apply an order only if its <code>version</code> is newer than yours, so that a second time changes
            nothing.
          </li>
          <li>
            Events are kept for 30 days. A cursor that is older is 410 <code>cursor_expired</code>: make the
            copy again.
          </li>
        </ul>
      </Section>
      <Section title="The first copy">
        <ol>
          <li>
            Read the feed once with <code>after=now</code>, and keep its <code>nextCursor</code>.
          </li>
          <li>
            Read all pages of <code>/v1/orders</code>.
          </li>
          <li>Follow the feed from the cursor of step 1.</li>
        </ol>
      </Section>
    </>
  );
}

function tryIt(origin: string, key: string): string {
  return `KEY='${key}'
CURSOR=$(curl -sS "${origin}/v1/orders/events?after=now" -H "Authorization: Bearer $KEY" \\
  | node -p 'JSON.parse(fs.readFileSync(0)).page.nextCursor')
curl -sS "${origin}/v1/orders/events?after=$CURSOR&waitSeconds=20" -H "Authorization: Bearer $KEY"`;
}

function follow(origin: string): string {
  return `import { createClient } from "@tradepost/client"; // npm install ${origin}/client.tgz

const tradepost = createClient({
  url: "${origin}",
  apiKey: process.env.TRADEPOST_API_KEY,
});

const feed = tradepost.orders.events({ after: process.env.CURSOR ?? "now" });
for await (const page of feed.pages()) {
  for (const event of page.data) console.log(event.type, event.data);
  console.log(\`continue with \${page.nextCursor}\`); // Save it in the transaction that applies the page.
}`;
}
