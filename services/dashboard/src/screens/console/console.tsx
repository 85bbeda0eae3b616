// From a request to its webhook: the request, the times, and the signed webhook as it arrives.
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type BodyOf, OPERATIONS } from "@tradepost/client/operations";
import { curlOf } from "../../api/curl.ts";
import type { Failure } from "../../api/failure.ts";
import { useIsAllowed } from "../../data/me.ts";
import { randomKey, request } from "../../session/request.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { ErrorNote } from "../../ui/note.tsx";
import { ReadOnly, Screen } from "../../ui/screen.tsx";
import { RunView, Waiting } from "./run-view.tsx";
import { type Run, stepsOf } from "./runs.ts";
import { useConsole } from "./use-console.ts";
import "./console.css";

const SUFFIX_CHARACTERS = 6;
const CUSTOMER = { name: "Console", email: "console@example.com", externalId: "console" };

export default function Console() {
  const isEditor = useIsAllowed({ role: "editor", module: "content" });
  const mayOrder = useIsAllowed({ role: "editor", module: "crm" });
  const { runs, isReady, failure, reopen, add, willDelete } = useConsole(isEditor);
  const addRedirect = useCall("createRedirect", async () => redirectBody(), add, willDelete);
  const placeOrder = useCall("placeOrder", async () => orderBody(await customerId()), add);
  const error = failure ?? addRedirect.error ?? placeOrder.error;
  return (
    <Screen
      title="Console"
      intro="Send a request, and watch its webhook arrive: signed, verified in this browser, with the time of each step."
    >
      <ReadOnly neededRole="editor" title="You cannot send requests here" />
      {error && <ErrorNote failure={error} {...(failure && { onRetry: reopen })} />}
      {isEditor && (
        <>
          <div className="row">
            <Button
              text="Add a redirect"
              look="primary"
              isBusy={!isReady || addRedirect.isPending}
              onClick={() => addRedirect.mutate()}
            />
            {mayOrder && (
              <Button
                text="Place an order"
                isBusy={!isReady || placeOrder.isPending}
                onClick={() => placeOrder.mutate()}
              />
            )}
          </div>
          <Terminal />
          <p className="hidden" role="status">
            {runs[0] && lastStep(runs[0])}
          </p>
          <div className="runs">
            {runs.length === 0 && <Waiting isReady={isReady} />}
            {runs.map((run) => (
              <RunView key={run.id} run={run} />
            ))}
          </div>
          <p className="note-small">
            A listener receives the webhooks; your subscriptions get theirs as ever. When you leave this page,
            the listener is deleted, and so are the redirects that you added here.{" "}
            {mayOrder &&
              "Orders are records, so they stay, with the customer “Console”: cancel them on their page. "}
            The log of <Link to="/deliveries">deliveries</Link> stays too.
          </p>
        </>
      )}
    </Screen>
  );
}

/** Read by screen readers while a request goes its way. */
function lastStep(run: Run): string {
  const last = stepsOf(run).steps.at(-1);
  return last ? `${last.name} after ${last.ms} ms` : "";
}

function Terminal() {
  const curl = curlOf("createRedirect", { body: { from: "/old", to: "/new" } }, location.origin);
  return (
    <details className="terminal">
      <summary>Or send it from a terminal: its webhook appears here, too</summary>
      <CodeBlock text={curl.replace("TRADEPOST_TOKEN", "TRADEPOST_API_KEY")} what="the request as curl" />
      <p className="note-small">
        <code>TRADEPOST_API_KEY</code> is an API key with the scope <code>write:content</code>. That redirect
        stays.
      </p>
    </details>
  );
}

type Creation = "createRedirect" | "placeOrder";

function useCall(
  operation: Creation,
  bodyOf: () => Promise<BodyOf<Creation>>,
  add: ReturnType<typeof useConsole>["add"],
  onMade?: (id: string) => void,
) {
  return useMutation<void, Failure>({
    mutationFn: async () => {
      const body = await bodyOf();
      const sentAt = Date.now();
      const { data } = await request<Creation>(operation, { body });
      const { method, path } = OPERATIONS[operation];
      add(data.id, { call: { title: `${method} ${path}`, body, sentAt, respondedAt: Date.now() } });
      onMade?.(data.id);
    },
  });
}

function redirectBody() {
  return { from: `/console-${randomKey().slice(0, SUFFIX_CHARACTERS)}`, to: "/new" };
}

function orderBody(customerId: string) {
  return { customerId, items: [{ sku: "MUG-1", name: "Mug", quantity: 1, unitPrice: 19.99 }] };
}

/** Returns a customer only for the orders of the Console, so that real customers have no such orders. */
async function customerId(): Promise<string> {
  const { externalId } = CUSTOMER;
  const { data } = await request("listCustomers", { query: { externalId, limit: 1 } });
  return (data[0] ?? (await request("createCustomer", { body: CUSTOMER })).data).id;
}
