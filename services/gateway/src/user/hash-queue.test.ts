// The order and the limits of the queue, with work that ends when the test ends it.
import { afterEach, describe, expect, test } from "@jest/globals";
import { hashQueue } from "./hash-queue.ts";

const REFUSED = { status: 429, code: "rate_limited", headers: { "retry-after": expect.any(String) } };

describe("the queue of password hashes", () => {
  let drain = async () => {};
  afterEach(() => drain());

  function queueOf(limits: { waitingMax: number; waitMsMax?: number }) {
    const queue = hashQueue({ runningMax: 2, waitMsMax: 60_000, ...limits });
    const started: string[] = [];
    const finish = new Map<string, () => void>();
    const ask = (name: string, isPreferred = false) =>
      queue.run(
        () =>
          new Promise<string>((resolve) => {
            started.push(name);
            finish.set(name, () => resolve(name));
          }),
        isPreferred,
      );
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    drain = async () => {
      while (finish.size > 0) {
        for (const end of finish.values()) end();
        finish.clear();
        await turn();
      }
    };
    return { ask, started, turn, end: (name: string) => finish.get(name)?.() };
  }

  test("runs two at a time, and the others in order of arrival", async () => {
    const { ask, started, turn, end } = queueOf({ waitingMax: 8 });
    const all = ["a", "b", "c", "d"].map((name) => ask(name));
    await turn();
    expect(started).toEqual(["a", "b"]);
    end("b");
    await turn();
    expect(started).toEqual(["a", "b", "c"]);
    end("a");
    end("c");
    await turn();
    end("d");
    expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
  });

  test("refuses at once when it is full", async () => {
    const { ask } = queueOf({ waitingMax: 1 });
    void ask("a");
    void ask("b");
    void ask("c");
    await expect(ask("d")).rejects.toMatchObject(REFUSED);
  });

  test("refuses work that waits too long, and frees its place", async () => {
    const { ask, started, turn, end } = queueOf({ waitingMax: 1, waitMsMax: 1 });
    void ask("a");
    void ask("b");
    await expect(ask("c")).rejects.toMatchObject(REFUSED);
    end("a");
    await turn();
    void ask("d");
    await turn();
    expect(started).toEqual(["a", "b", "d"]);
  });

  test("runs preferred work first, and replaces the newest other work when full", async () => {
    const { ask, started, turn, end } = queueOf({ waitingMax: 2 });
    void ask("a");
    void ask("b");
    const older = ask("other");
    const newest = ask("newest other");
    void ask("preferred", true);
    await expect(newest).rejects.toMatchObject(REFUSED);
    void ask("preferred too", true);
    await expect(older).rejects.toMatchObject(REFUSED);
    end("a");
    end("b");
    await turn();
    expect(started.slice(2)).toEqual(["preferred", "preferred too"]);
  });

  test("runs the next work after one that fails", async () => {
    const queue = hashQueue({ runningMax: 1, waitingMax: 1, waitMsMax: 60_000 });
    const failing = queue.run(() => Promise.reject(new Error("no memory")), false);
    const next = queue.run(async () => "next", false);
    await expect(failing).rejects.toThrow("no memory");
    expect(await next).toBe("next");
  });
});
