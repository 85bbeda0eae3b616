import net, { type AddressInfo, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ApiError } from "./api-error.ts";
import { inFlightLimit } from "./in-flight-limit.ts";

const LIMITS = { inProgressMax: 2, inProgressOfTenantMax: 1, waitingMax: 2, waitingOfTenantMax: 1 };
const refusal = (exhausted: string) => new ApiError("rate_limited", exhausted);

describe("an in-flight limit", () => {
  let server: net.Server;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    server = net.createServer((socket) => socket.on("error", () => undefined));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const connect = async (): Promise<Socket> => {
    const socket = net.connect((server.address() as AddressInfo).port, "127.0.0.1");
    sockets.push(socket);
    await new Promise((resolve) => socket.once("connect", resolve));
    return socket;
  };

  test("gives a free slot at once, and a released slot to the request that waits", async () => {
    const acquire = inFlightLimit({ ...LIMITS, waitMsMax: 60_000 }, refusal);
    const client = await connect();
    const release = acquire("a", client);
    if (release instanceof Promise) throw new Error("it waits");
    let hasStarted = false;
    const second = Promise.resolve(acquire("a", client)).then((next) => {
      hasStarted = true;
      return next;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(hasStarted).toBe(false);
    release();
    release();
    (await second)();
    expect(acquire("a", client)).toBeInstanceOf(Function);
    expect(client.listenerCount("close")).toBe(0);
  });

  test("refuses at once if the queue is full, and after waitMsMax if no slot is released", async () => {
    const acquire = inFlightLimit({ ...LIMITS, waitMsMax: 50 }, refusal);
    const client = await connect();
    await acquire("a", client);
    const waiting = acquire("a", client);
    await expect(acquire("a", client)).rejects.toThrow("tenant");
    await expect(waiting).rejects.toThrow("tenant");
    await acquire("b", client);
    await expect(acquire("c", client)).rejects.toThrow("all");
  });

  test("stops waiting when the client disconnects", async () => {
    const acquire = inFlightLimit({ ...LIMITS, waitMsMax: 60_000 }, refusal);
    const [client, other] = [await connect(), await connect()];
    const release = await acquire("a", client);
    const waiting = acquire("a", other);
    other.destroy();
    await expect(waiting).rejects.toMatchObject({ code: "bad_request" });
    await expect(acquire("a", other)).rejects.toMatchObject({ code: "bad_request" });
    const next = acquire("a", client);
    release();
    expect(await next).toBeInstanceOf(Function);
  });
});
