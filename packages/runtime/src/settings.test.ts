import { z } from "zod";
import {
  brokerUrl,
  databaseUrl,
  duration,
  gatewaySecrets,
  httpUrl,
  readSettings,
  serviceSettings,
  serviceUrl,
  wholeNumber,
} from "./settings.ts";
import { shownSettings, showSettings, unknownSettings } from "./shown-settings.ts";

const schema = z.object({
  PORT: z.coerce.number().int(),
  SECRET: z.string().min(8),
  WAIT: duration.optional(),
});

describe("settings", () => {
  test("names every fault without the values", () => {
    const read = () => readSettings(schema, { PORT: "http", SECRET: "hunter", WAIT: "soon" });
    expect(read).toThrow(
      "Settings are missing or wrong: PORT is malformed; SECRET must have at least 8 characters; WAIT must be a number and a unit: 200ms, 5s, 1m or 4h.",
    );
    expect(() => readSettings(schema, { PORT: "80" })).toThrow(
      "Settings are missing or wrong: SECRET is missing.",
    );
  });

  test("shows what differs from the default, with fingerprints of secrets", () => {
    const all = z.object({ ...serviceSettings(8081), AMQP_URL: brokerUrl, GATEWAY_SECRET: gatewaySecrets });
    const [one, two] = ["1".repeat(32), "2".repeat(32)];
    const set = {
      AMQP_URL: "amqp://me:hush@broker/shop",
      GATEWAY_SECRET: `${one},${two}`,
      LOG_LEVEL: "info",
      PORT: "80",
    };
    const shown = shownSettings(all, set);
    expect(shown).toEqual({
      AMQP_URL: expect.stringMatching(/^amqp:\/\/me:#[0-9a-f]{6}@broker\/shop$/),
      GATEWAY_SECRET: expect.stringMatching(/^#[0-9a-f]{6},#[0-9a-f]{6}$/),
      PORT: "80",
    });
  });

  test("shows every setting, where it comes from, and what is wrong with it", () => {
    const all = z.object({ AMQP_URL: brokerUrl, GATEWAY_SECRET: gatewaySecrets, ...serviceSettings(8081) });
    const set = { AMQP_URL: "amqp://me:h@sh,hu@broker/shop", GATEWAY_SECRET: "brief", PORT: "" };
    expect(showSettings(all, set)).toEqual(
      expect.arrayContaining([
        {
          ...{ name: "AMQP_URL", source: "environment", fault: null },
          value: expect.stringMatching(/^amqp:\/\/me:#[0-9a-f]{6}@broker\/shop$/),
        },
        {
          ...{ name: "GATEWAY_SECRET", source: "environment", value: null },
          fault: "must be at least 32 characters",
        },
        { name: "PORT", value: "8081", source: "default", fault: null },
        { name: "AMQP_CA_FILE", value: null, source: null, fault: null },
      ]),
    );
  });

  test("knows variables that are misspelt", () => {
    const all = z.object({ ...serviceSettings(8083), WEBHOOKS_CONCURRENCY: wholeNumber(1, 9) });
    const variables = [
      "WEBHOOKS_CONCURENCY",
      "WEBHOOKS_CONCURRENCY",
      "WEBHOOKS_PORT",
      "WEBHOOKS_SERVICE_HOST",
      "PATH",
    ];
    const set = Object.fromEntries(variables.map((name) => [name, "1"]));
    expect(unknownSettings("webhooks", all, set)).toEqual(["WEBHOOKS_CONCURENCY"]);
  });

  test("an empty string counts as not set", () => {
    expect(readSettings(schema, { PORT: "80", SECRET: "12345678", WAIT: "" })).toEqual({
      PORT: 80,
      SECRET: "12345678",
    });
  });

  test.each([
    ["200ms", 200],
    ["5s", 5_000],
    ["1m", 60_000],
    ["4h", 14_400_000],
  ])("reads the duration %s", (label, ms) => {
    expect(duration.parse(label)).toEqual({ label, ms });
  });

  test.each(["", " ", " 5 ", "-1", "5.5", "1e3", "0x10", "11", "5 min", "9".repeat(400)])(
    "refuses %j as a whole number from 1 to 10",
    (text) => {
      const { error } = wholeNumber(1, 10).safeParse(text);
      expect(error?.issues.map(({ message }) => message)).toEqual(["must be a whole number from 1 to 10"]);
    },
  );

  test.each([
    [databaseUrl, "postgres://a:b@127.0.0.1:5432/orders", true],
    [databaseUrl, "postgresql://db/orders?sslmode=verify-full", true],
    [databaseUrl, "postgresql:///orders?host=/run/postgresql", true],
    [databaseUrl, "mysql://a:b@127.0.0.1/orders", false],
    [databaseUrl, "postgres://a:b@127.0.0.1:5432", false],
    [databaseUrl, "postgres:///orders", false],
    [databaseUrl, "orders", false],
    [brokerUrl, "amqps://a:b@broker/tradepost", true],
    [brokerUrl, "http://broker:15672", false],
    [brokerUrl, "amqps://a:b@one/shop,amqps://a:b,c@two/shop,amqp://a:b@three:5673/shop", true],
    [brokerUrl, "amqp://one/shop,amqp://two/other", false],
    [brokerUrl, "amqp://one/shop,amqp:///shop", false],
    [httpUrl, "http://orders:8080", true],
    [httpUrl, "https://collector/otlp/", true],
    [httpUrl, "orders:8080", false],
    [httpUrl, "http://login:password@collector:4318", false],
    [httpUrl, "http://collector:4318?key=1", false],
    [httpUrl, "http://collector:4318#key", false],
    [serviceUrl, "http://orders:8080", true],
    [serviceUrl, "https://orders/", true],
    [serviceUrl, "http://login@orders:8080", false],
    [serviceUrl, "http://proxy/orders", false],
  ])("address %#", (schema, text, isSuitable) => {
    expect(schema.safeParse(text).success).toBe(isSuitable);
  });
});
