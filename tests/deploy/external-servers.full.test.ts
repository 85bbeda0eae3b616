// External Postgres and RabbitMQ servers: `npm start` creates a login and a user for each service there, with the same privileges
// as on its private servers.
import { randomBytes } from "node:crypto";
import {
  createBrokerUsers,
  createRolesAsOwner,
  execute,
  forAllServices,
  migrateDatabases,
  SERVICES,
} from "@tradepost/devstack";
import { createTestBroker, createTestDatabase, requestManagement } from "@tradepost/testing";
import { connect } from "amqplib";
import pg from "pg";

const PASSWORD = randomBytes(16).toString("hex");
const [database, broker] = await Promise.all([createTestDatabase(), createTestBroker()]);

describe("an external database", () => {
  const owner = `owner_${randomBytes(6).toString("hex")}`;
  const ownerUrl = Object.assign(new URL(database.url), { username: owner, password: PASSWORD }).href;
  const admin = (text: string) => execute(database.url, text);

  beforeAll(() =>
    admin(`create role ${owner} login password '${PASSWORD}';
           alter database ${new URL(ownerUrl).pathname.slice(1)} owner to ${owner}`),
  );
  afterAll(async () => {
    const url = new URL(database.url);
    await database.drop();
    url.pathname = "/postgres";
    await execute(url.href, `drop role if exists ${owner}_orders_login`);
    await execute(url.href, `drop owned by ${owner}; drop role ${owner}`);
  });

  test("is refused with instructions if its owner may not create roles", async () => {
    await expect(createRolesAsOwner("orders", ownerUrl, PASSWORD)).rejects.toThrow(
      new RegExp(
        `^The role ${owner} of ORDERS_DATABASE_URL may not create the roles .*alter role ${owner} createrole`,
      ),
    );
  });

  test("gets a login for the service if its owner may create roles, which it needs only once", async () => {
    // Other tests may have created these roles, and the owner must be able to grant them.
    await admin(`
      do $$ begin create role tradepost_orders nologin; exception when duplicate_object or unique_violation then null; end $$;
      do $$ begin create role tradepost_orders_worker nologin; exception when duplicate_object or unique_violation then null; end $$;
      grant tradepost_orders, tradepost_orders_worker to ${owner} with admin option;
      alter role ${owner} createrole`);
    const first = await createRolesAsOwner("orders", ownerUrl, PASSWORD);
    await admin(`alter role ${owner} nocreaterole`);
    expect(await createRolesAsOwner("orders", ownerUrl, "not used").then(withoutPassword)).toBe(
      withoutPassword(first),
    );
    await migrateDatabases({ orders: ownerUrl });
    const login = new pg.Client({ connectionString: first, options: "-c role=tradepost_orders" });
    await login.connect();
    expect((await login.query("select session_user, count(*)::int from orders")).rows).toEqual([
      { session_user: `${owner}_orders_login`, count: 0 },
    ]);
    await expect(login.query("drop table orders")).rejects.toMatchObject({ code: "42501" });
    await login.end();
  });

  test("that does not respond is reported by its setting", async () => {
    const nowhere = "postgres://me:secret@127.0.0.1:9/db";
    await expect(createRolesAsOwner("content", nowhere, PASSWORD)).rejects.toThrow(/^CONTENT_DATABASE_URL: /);
  });
});

describe("an external broker", () => {
  const users: string[] = [];
  afterAll(async () => {
    for (const user of users) await requestManagement(broker.managementUrl, "DELETE", `/users/${user}`);
    await broker.drop();
  });

  test("gets a user for each service, with its permissions in that vhost", async () => {
    const urls = await createBrokerUsers(broker, forAllServices(PASSWORD));
    for (const service of SERVICES) {
      const { username } = new URL(urls[service]);
      users.push(username);
      expect(username).toMatch(new RegExp(`^tradepost-test_[0-9a-f]+-${service}$`));
      const connection = await connect(urls[service]);
      connection.on("error", () => undefined);
      const channel = await connection.createChannel();
      channel.on("error", () => undefined);
      await channel.checkExchange("platform.events");
      await expect(channel.deleteExchange("platform.events")).rejects.toThrow("ACCESS_REFUSED");
      await connection.close();
    }
  });

  test("is refused if the credentials are not an administrator's", async () => {
    const managementUrl = new URL(broker.managementUrl);
    managementUrl.password = "wrong";
    await expect(
      createBrokerUsers({ ...broker, managementUrl: managementUrl.href }, forAllServices(PASSWORD)),
    ).rejects.toThrow("RabbitMQ's management API responded with 401");
  });
});

function withoutPassword(url: string): string {
  return Object.assign(new URL(url), { password: "" }).href;
}
