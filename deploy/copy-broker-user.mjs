// Creates a RabbitMQ user with the permissions of another one, so that a service can switch to it:
//   RABBITMQ_MANAGEMENT_URL=http://admin:…@localhost:15672 PASSWORD=… node deploy/copy-broker-user.mjs orders orders-b
// Running it again sets the password and the permissions again.
const { RABBITMQ_MANAGEMENT_URL, PASSWORD } = process.env;
const [from, to] = process.argv.slice(2);
if (!RABBITMQ_MANAGEMENT_URL || !PASSWORD || !from || !to || from === to) {
  process.stderr.write(
    "Usage: RABBITMQ_MANAGEMENT_URL=… PASSWORD=… node copy-broker-user.mjs <user> <new user>\n",
  );
  process.exit(1);
}
const base = new URL(RABBITMQ_MANAGEMENT_URL);
const authorization = `Basic ${Buffer.from(`${decodeURIComponent(base.username)}:${decodeURIComponent(base.password)}`).toString("base64")}`;

const permissions = await send("GET", ["users", from, "permissions"]);
const topics = await send("GET", ["users", from, "topic-permissions"]);
await send("PUT", ["users", to], { password: PASSWORD, tags: "" });
for (const { vhost, configure, write, read } of permissions)
  await send("PUT", ["permissions", vhost, to], { configure, write, read });
for (const { vhost, exchange, write, read } of topics)
  await send("PUT", ["topic-permissions", vhost, to], { exchange, write, read });
process.stdout.write(`${to} may do what ${from} may.\n`);

async function send(method, path, body) {
  const response = await fetch(`${base.origin}/api/${path.map(encodeURIComponent).join("/")}`, {
    method,
    headers: { authorization, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.ok) return text ? JSON.parse(text) : null;
  process.stderr.write(
    `RabbitMQ responded with ${response.status} to ${method} ${path.join("/")}: ${text}\n`,
  );
  process.exit(1);
}
