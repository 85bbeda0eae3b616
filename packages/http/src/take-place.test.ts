// Waiting for a place: in turn, for a bounded time, and only while the client is there.
import net, { type AddressInfo, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { ApiError } from "./api-error.ts";
import { places } from "./take-place.ts";

const LIMITS = { inProgressMax: 2, inProgressOfTenantMax: 1, waitingMax: 2, waitingOfTenantMax: 1 };
const refusal = (exhausted: string) => new ApiError("rate_limited", exhausted);

describe("a place", () => {
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

  test("is there at once, and passes to who waits as soon as it is left", async () => {
    const take = places({ ...LIMITS, waitMsMax: 60_000 }, refusal);
    const client = await connect();
    const leave = take("a", client);
    if (leave instanceof Promise) throw new Error("it waits");
    let hasBegun = false;
    const second = Promise.resolve(take("a", client)).then((next) => {
      hasBegun = true;
      return next;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(hasBegun).toBe(false);
    leave();
    leave();
    (await second)();
    expect(take("a", client)).toBeInstanceOf(Function);
    expect(client.listenerCount("close")).toBe(0);
  });

  test("is refused at once where the queue is full, and after a while where nobody leaves", async () => {
    const take = places({ ...LIMITS, waitMsMax: 50 }, refusal);
    const client = await connect();
    await take("a", client);
    const waiting = take("a", client);
    await expect(take("a", client)).rejects.toThrow("tenant");
    await expect(waiting).rejects.toThrow("tenant");
    await take("b", client);
    await expect(take("c", client)).rejects.toThrow("all");
  });

  test("is not waited for once the client is gone", async () => {
    const take = places({ ...LIMITS, waitMsMax: 60_000 }, refusal);
    const [client, other] = [await connect(), await connect()];
    const leave = await take("a", client);
    const waiting = take("a", other);
    other.destroy();
    await expect(waiting).rejects.toMatchObject({ code: "bad_request" });
    await expect(take("a", other)).rejects.toMatchObject({ code: "bad_request" });
    const next = take("a", client);
    leave();
    expect(await next).toBeInstanceOf(Function);
  });
});
