// The order and the limits of the queue, with work that ends when the test ends it.
import { type HashedFor, hashQueue, knownAs } from "./hash-queue.ts";

const ANYONE: HashedFor = { kind: "anyone" };
const known = (id: string, tenantId = `of ${id}`) => knownAs({ id, tenantId });
const staffOf = (tenantId: string): HashedFor => ({ kind: "staff", tenantId });
const AB = ["a", "b"];
const REFUSED = { status: 429, code: "rate_limited", headers: { "retry-after": expect.any(String) } };

describe("the queue of password hashes", () => {
  let drain = async () => {};
  afterEach(() => drain());

  /** Returns a queue in which two works can run at a time, and `running` has begun. */
  function queueOf(limits: { waitingMax: number; waitMsMax?: number }, running: readonly string[] = []) {
    const queue = hashQueue({ runningMax: 2, waitMsMax: 60_000, ...limits });
    const started: string[] = [];
    const finish = new Map<string, () => void>();
    const ask = (name: string, hashedFor = ANYONE) =>
      queue.run(
        () =>
          new Promise<string>((resolve) => {
            started.push(name);
            finish.set(name, () => resolve(name));
          }),
        hashedFor,
      );
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const end = async (...names: string[]) => {
      for (const name of names) finish.get(name)?.();
      await turn();
    };
    drain = async () => {
      while (finish.size > 0) {
        for (const end of finish.values()) end();
        finish.clear();
        await turn();
      }
    };
    for (const name of running) void ask(name);
    return { ask, started, turn, end };
  }

  test("runs two at a time, and the others in order of arrival", async () => {
    const { ask, started, turn, end } = queueOf({ waitingMax: 8 });
    const all = ["a", "b", "c", "d"].map((name) => ask(name));
    await turn();
    expect(started).toEqual(["a", "b"]);
    await end("b");
    expect(started).toEqual(["a", "b", "c"]);
    await end("a", "c");
    await end("d");
    expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
  });

  test("refuses at once when it is full", async () => {
    const { ask } = queueOf({ waitingMax: 1 }, AB);
    void ask("c");
    await expect(ask("d")).rejects.toMatchObject(REFUSED);
  });

  test("refuses work that waits too long, and frees its place", async () => {
    const { ask, started, turn, end } = queueOf({ waitingMax: 1, waitMsMax: 1 }, AB);
    await expect(ask("c")).rejects.toMatchObject(REFUSED);
    await end("a");
    void ask("d");
    await turn();
    expect(started).toEqual(["a", "b", "d"]);
  });

  test("runs the work of known users first, and replaces the newest other work when full", async () => {
    const { ask, started, end } = queueOf({ waitingMax: 2 }, AB);
    const older = ask("other");
    const newest = ask("newest other");
    void ask("known", known("ada"));
    await expect(newest).rejects.toMatchObject(REFUSED);
    void ask("known too", known("bob"));
    await expect(older).rejects.toMatchObject(REFUSED);
    await end("a", "b");
    expect(started.slice(2)).toEqual(["known", "known too"]);
  });

  test("runs only one work of a known user first, so that one user cannot fill it", async () => {
    const { ask, started, end } = queueOf({ waitingMax: 3 }, AB);
    void ask("other");
    void ask("ada", known("ada"));
    void ask("ada again", known("ada"));
    await expect(ask("ada once more", known("ada"))).rejects.toMatchObject(REFUSED);
    await end("a", "b");
    await end("ada");
    expect(started.slice(2)).toEqual(["ada", "other", "ada again"]);
  });

  test("runs only four works of a tenant's known users first, so that one tenant cannot fill it", async () => {
    const { ask, started, end } = queueOf({ waitingMax: 7 }, AB);
    void ask("other");
    for (const name of ["1", "2", "3", "4", "5"]) void ask(name, known(name, "one tenant"));
    void ask("ada", known("ada"));
    for (const name of ["a", "b", "1", "2", "3", "4", "ada", "other"]) await end(name);
    expect(started.slice(2)).toEqual(["1", "2", "3", "4", "ada", "other", "5"]);
  });

  test("takes one change of a tenant's staff at a time, behind the known users", async () => {
    const { ask, started, turn, end } = queueOf({ waitingMax: 8 });
    void ask("a");
    const running = ask("staff of one", staffOf("one"));
    await expect(ask("refused", staffOf("one"))).rejects.toMatchObject(REFUSED);
    void ask("staff of two", staffOf("two"));
    await expect(ask("refused while it waits", staffOf("two"))).rejects.toMatchObject(REFUSED);
    void ask("known", known("ada"));
    await turn();
    expect(started).toEqual(["a", "staff of one"]);
    await end("staff of one");
    await running;
    void ask("staff of one again", staffOf("one"));
    await end("a");
    expect(started.slice(2)).toEqual(["known", "staff of two"]);
  });

  test("takes the next change of a tenant's staff after one that is refused", async () => {
    const { ask, started, turn, end } = queueOf({ waitingMax: 1, waitMsMax: 1 }, AB);
    await expect(ask("waits too long", staffOf("one"))).rejects.toMatchObject(REFUSED);
    await end("a");
    void ask("next", staffOf("one"));
    await turn();
    expect(started).toEqual(["a", "b", "next"]);
  });

  test("runs the next work after one that fails", async () => {
    const queue = hashQueue({ runningMax: 1, waitingMax: 1, waitMsMax: 60_000 });
    const failing = queue.run(() => Promise.reject(new Error("no memory")), ANYONE);
    const next = queue.run(async () => "next", ANYONE);
    await expect(failing).rejects.toThrow("no memory");
    expect(await next).toBe("next");
  });
});
