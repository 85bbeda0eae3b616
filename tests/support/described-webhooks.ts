// The requests to receivers as the section `webhooks` of docs/openapi.json describes them.
import type { IncomingHttpHeaders } from "node:http";
import { description, faultsAt, type Parameter } from "./api-description.ts";

// Headers of the connection and the body, which OpenAPI describes elsewhere or not at all.
const OF_THE_TRANSPORT = ["accept-encoding", "connection", "content-length", "content-type", "host"];

/** Lists how a request differs from its description. */
export function webhookFaults({ headers, body }: { headers: IncomingHttpHeaders; body: Buffer }): string[] {
  const parsed = JSON.parse(body.toString()) as { type: string };
  const webhook = description.webhooks[parsed.type]?.post;
  if (webhook === undefined) return [`${parsed.type} is not described`];
  const parameters = webhook.parameters.map(({ $ref }) => {
    const key = $ref.split("/").at(-1) ?? "";
    return { key, ...(description.components.parameters[key] as Parameter) };
  });
  const names = parameters.map(({ name }) => name.toLowerCase());
  const undescribed = Object.keys(headers).filter(
    (name) => !names.includes(name) && !OF_THE_TRANSPORT.includes(name),
  );
  const ofHeaders = parameters.flatMap(({ key, name, required, schema }) => {
    const value = headers[name.toLowerCase()];
    if (value === undefined) return required ? [`the header ${name} is missing`] : [];
    const place = ["components", "parameters", key, "schema"];
    const faults = faultsAt(place, schema.type === "integer" ? Number(value) : value);
    return faults.map((fault) => `${name}${fault}`);
  });
  const place = ["requestBody", "content", "application/json", "schema"];
  const members = webhook.requestBody.content?.["application/json"]?.schema?.properties ?? {};
  const isInOrder = Object.keys(parsed).join() === Object.keys(members).join();
  return [
    ...undescribed.map((name) => `the header ${name} is not described`),
    ...ofHeaders,
    ...faultsAt(["webhooks", parsed.type, "post", ...place], parsed),
    ...(isInOrder ? [] : ["the members of the body are in another order"]),
  ];
}
