import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { CodeBlock } from "../../ui/code.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Skeleton } from "../../ui/list.tsx";
import { Section } from "../../ui/screen.tsx";
import { listenCommands, useOwnValues } from "./door.tsx";

export function ReceiveWebhooks() {
  const { origin, key } = useOwnValues();
  return (
    <>
      <Section title="In short">
        <ol>
          <li>Read the body as bytes. Parse nothing yet.</li>
          <li>Verify the signature and the time. Respond with 401 if either is wrong.</li>
          <li>
            Insert the body’s <code>id</code> into a table of yours, on conflict do nothing, in the
            transaction that does the work. A delivery may arrive twice.
          </li>
          <li>Respond with 2xx within 10 seconds. Leave slow work to a worker.</li>
        </ol>
      </Section>
      <Sample />
      <Section title="Connect it">
        <ol>
          <li>
            Run it behind https, and <Link to="/webhooks">subscribe its URL</Link>. The signing secret is
            shown once: it is the receiver’s <code>WEBHOOK_SECRET</code>.
          </li>
          <li>On the page of the subscription, send a test. The result is there at once.</li>
          <li>
            Something did not arrive? The <Link to="/events">event</Link> says, for each subscription, why.
          </li>
        </ol>
      </Section>
      <Section title="On your own machine">
        <p>
          A receiver that nobody can reach gets its deliveries through a listener. The key needs the scope{" "}
          <code>read:content</code>.
        </p>
        <CodeBlock text={listenCommands(origin, key, "http://localhost:3000/hooks")} what="the commands" />
      </Section>
    </>
  );
}

function Sample() {
  const [file, setFile] = useState<SampleFile>(SAMPLES[0].value);
  const { data, isError } = useQuery({
    queryKey: ["sample", file],
    queryFn: () => loadSample(file),
    staleTime: Infinity,
  });
  return (
    <Section title="A receiver to copy">
      <SelectField
        label="Language"
        options={SAMPLES}
        value={file}
        onChange={({ currentTarget }) => setFile(currentTarget.value as SampleFile)}
      />
      {isError && <p role="alert">It could not be loaded. Reload the page.</p>}
      {data === undefined ? (
        !isError && <Skeleton look="rows" />
      ) : (
        <CodeBlock text={data} what={`the receiver, ${file}`} />
      )}
    </Section>
  );
}

// The receivers of docs/receivers, which tests run against the platform. The build makes a file of each, which is loaded when it is
// shown.
const LOADERS = import.meta.glob<string>("../../../../../docs/receivers/*", {
  query: "?raw",
  import: "default",
});

const SAMPLES = [
  { value: "node.mts", text: "Node" },
  { value: "express.mts", text: "Node with Express" },
  { value: "standard-webhooks.mts", text: "Node with standardwebhooks" },
  { value: "receiver.py", text: "Python" },
  { value: "receiver.php", text: "PHP" },
  { value: "receiver.go", text: "Go" },
  { value: "receiver.rb", text: "Ruby" },
] as const;

type SampleFile = (typeof SAMPLES)[number]["value"];

async function loadSample(file: SampleFile): Promise<string> {
  const load = LOADERS[`../../../../../docs/receivers/${file}`];
  if (load === undefined) throw new Error(`the build has no ${file}`);
  return await load();
}
