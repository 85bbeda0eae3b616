import { freePort } from "@tradepost/testing";

test.each(["a process", "a run of tests"])(
  "no port is chosen twice in %s, even if nothing listens on it",
  async (where) => {
    const directory = process.env.TEST_PORTS_DIRECTORY;
    if (where === "a process") delete process.env.TEST_PORTS_DIRECTORY;
    const ports = await Promise.all(Array.from({ length: 300 }, () => freePort()));
    process.env.TEST_PORTS_DIRECTORY = directory;
    expect(new Set(ports).size).toBe(ports.length);
  },
);
