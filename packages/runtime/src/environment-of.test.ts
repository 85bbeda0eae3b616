import { environmentOf } from "./environment-of.ts";

const ENVIRONMENT = {
  ...{ PORT: "8080", HOST: "0.0.0.0", LOG_LEVEL: "warn", AMQP_URL: "amqp://all@broker" },
  ...{ ORDERS_PORT: "9081", ORDERS_AMQP_URL: "amqp://orders@broker", ORDERS_GATEWAY_SECRET: "s".repeat(32) },
};

describe("environmentOf", () => {
  test("gives a service what has its name in front, before what all share", () => {
    expect(environmentOf("orders", ENVIRONMENT)).toMatchObject({
      ...{
        PORT: "9081",
        LOG_LEVEL: "warn",
        AMQP_URL: "amqp://orders@broker",
        GATEWAY_SECRET: "s".repeat(32),
      },
    });
    expect(environmentOf("content", ENVIRONMENT)).toMatchObject({ AMQP_URL: "amqp://all@broker" });
  });

  test("leaves the port and the host to the gateway", () => {
    expect(environmentOf("gateway", ENVIRONMENT)).toMatchObject({ PORT: "8080", HOST: "0.0.0.0" });
    expect(environmentOf("orders", ENVIRONMENT)).not.toHaveProperty("HOST");
    expect(environmentOf("content", ENVIRONMENT)).not.toHaveProperty("PORT");
  });

  test("keeps the gateway's own settings about a service", () => {
    expect(environmentOf("gateway", ENVIRONMENT)).toMatchObject({ ORDERS_GATEWAY_SECRET: "s".repeat(32) });
  });
});
