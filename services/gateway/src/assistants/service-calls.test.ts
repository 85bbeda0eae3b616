import { Socket } from "node:net";
import type { RequestSender } from "../entry/entry.ts";
import { type Caller, serviceCalls } from "./service-calls.ts";

test("a tool reads the responses of services in its tenant's turn, and does not wait for them in it", async () => {
  const steps: string[] = [];
  const requests: RequestSender = {
    send: (request, read) => {
      steps.push(`sent ${request.path}`);
      return read({ status: 200, bytes: Buffer.from('{"success":true,"data":1}') });
    },
  };
  const inTurn: Caller["inTurn"] = async (work) => {
    steps.push("turn begins");
    return await work().finally(() => steps.push("turn ends"));
  };
  const principal = {
    tenantId: "tenant",
    role: "viewer",
    actor: { type: "api_key", id: "key", name: "Key" },
    scopes: [],
    modules: [],
  } as const;
  const caller = {
    principal,
    requestId: "",
    traceparent: "",
    socket: new Socket(),
    responseHeaders: {},
    caused: [],
    inTurn,
  };
  const { data } = await serviceCalls(requests, caller).get("/v1/orders");
  expect(data).toBe(1);
  expect(steps).toEqual(["sent /v1/orders", "turn begins", "turn ends"]);
});
