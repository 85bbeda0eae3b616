import { brokerUrls, databaseAddress, hasPooler, vhostOf, withBrokerCa } from "./server-addresses.ts";

const NODES = "amqps://a:b,c@one:5671/my%2Fshop,amqp://a:b@two/my%2Fshop";

test("a broker has one address or several, and a comma in a password separates none", () => {
  expect(brokerUrls(NODES)).toEqual(["amqps://a:b,c@one:5671/my%2Fshop", "amqp://a:b@two/my%2Fshop"]);
  expect(brokerUrls("amqp://one")).toEqual(["amqp://one"]);
  expect(brokerUrls("http://a:b,c@one,https://two")).toEqual(["http://a:b,c@one", "https://two"]);
});

test.each([
  [NODES, "my/shop"],
  ["amqp://one", "/"],
  ["amqp://one/", "/"],
])("%s names the virtual host %s", (setting, vhost) => {
  expect(vhostOf(setting)).toBe(vhost);
});

test("the broker's authority is added where TLS is used and no other is named", () => {
  expect(withBrokerCa(NODES, undefined)).toBe(NODES);
  expect(withBrokerCa(`${NODES},amqps://three/x?cacertfile=own.crt`, "/ca.crt")).toBe(
    "amqps://a:b,c@one:5671/my%2Fshop?cacertfile=%2Fca.crt,amqp://a:b@two/my%2Fshop,amqps://three/x?cacertfile=own.crt",
  );
});

test.each([
  ["postgres://a:b@one/orders", "postgres://a:b@one/orders?sslrootcert=%2Fca.crt&sslmode=verify-full"],
  ["postgres://one/orders?sslmode=disable", "postgres://one/orders?sslmode=disable&sslrootcert=%2Fca.crt"],
  ["postgres://one/orders?sslrootcert=own.crt", "postgres://one/orders?sslrootcert=own.crt"],
])("the authority of %s makes it %s", (address, expected) => {
  expect(databaseAddress(address, { POSTGRES_CA_FILE: "/ca.crt" })).toBe(expected);
  expect(databaseAddress(address, { POSTGRES_POOLER: "none" })).toBe(address);
});

test("an address knows of a pooler", () => {
  const pooled = databaseAddress("postgres://one/orders", { POSTGRES_POOLER: "transaction" });
  expect([hasPooler(pooled), hasPooler("postgres://one/orders")]).toEqual([true, false]);
});
