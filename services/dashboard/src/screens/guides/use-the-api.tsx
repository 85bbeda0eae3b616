import { Link } from "@tanstack/react-router";
import { TextLink } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { Section } from "../../ui/screen.tsx";
import { KeyNote, useOwnValues } from "./door.tsx";

export function UseTheApi() {
  const { origin, key } = useOwnValues();
  return (
    <>
      <Section title="Ask who you are">
        <CodeBlock text={whoAmI(origin, key)} what="the first request" />
        <p>The response names the key, its scopes and the shop.</p>
        <KeyNote />
      </Section>
      <Section title="Place an order with Node">
        <p>This gateway serves the client that fits it, with types:</p>
        <CodeBlock text={`npm install ${origin}/client.tgz`} what="the command" />
        <CodeBlock text={placeOrder(origin)} what="the program" />
      </Section>
      <Section title="What every program should do">
        <ul>
          <li>
            Send each POST with an <code>Idempotency-Key</code> made from your own data, and repeat it until
            there is a response. It is carried out once. The client does this for you.
          </li>
          <li>
            After 429 and 503, wait as long as <code>Retry-After</code> says.
          </li>
          <li>
            Log <code>X-Request-Id</code>. With it, an admin finds the request under{" "}
            <Link to="/requests">Requests</Link>.
          </li>
          <li>
            To keep a copy of orders,{" "}
            <TextLink to="/guides/$guide" params={{ guide: "read-the-feed" }} text="read the feed" /> instead
            of polling the list.
          </li>
        </ul>
      </Section>
    </>
  );
}

function whoAmI(origin: string, key: string): string {
  return `curl -sS ${origin}/v1/me -H 'Authorization: Bearer ${key}'`;
}

function placeOrder(origin: string): string {
  return `import { createClient } from "@tradepost/client";

const tradepost = createClient({
  url: "${origin}",
  apiKey: process.env.TRADEPOST_API_KEY,
});

const customer = await tradepost.customers.create({ name: "Ada" });
const order = await tradepost.orders.place({
  customerId: customer.id,
  items: [{ sku: "MUG-1", name: "Mug", quantity: 3, unitPrice: 19.99 }],
});
console.log(\`order \${order.orderNumber}: \${order.total} \${order.currency}\`);`;
}
