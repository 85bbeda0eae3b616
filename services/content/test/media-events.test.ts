// The events of media: each is written once, with the data that the catalog describes, even after a crash. Also: files that belong
// to no asset.
import { randomUUID } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { eventData } from "@tradepost/event-catalog";
import { until } from "@tradepost/testing";
import { connect } from "amqplib";
import { finished, picture, upload } from "./support/media-client.ts";
import { ownTestContent, type TestTenant } from "./support/test-content.ts";

const BATCH_MAX = 100;

const content = await ownTestContent();
const image = await (await picture(40, 20)).png().toBuffer();

describe("the service", () => {
  let tenant: TestTenant;

  beforeEach(() => {
    tenant = content.newTenant();
  });

  const events = (count = 0) => content.events(tenant.tenantId, count);
  const types = async (count = 0) => (await events(count)).map(({ type }) => type);
  const countOf = async (one: string) => (await types()).filter((type) => type === one).length;

  test("publishes the upload, the processing and the deletion of an asset; the upload causes the processing", async () => {
    const uploaded = await upload(tenant, image);
    const ready = await finished(tenant, uploaded.body.data.id);
    await tenant.delete(`/v1/media/${ready.id}`);
    const [first, second, third] = await events(3);
    expect(await types()).toEqual(["media.uploaded", "media.processed", "media.deleted"]);
    expect(first.data.media).toEqual(uploaded.body.data);
    expect(second.data.media).toEqual(ready);
    expect(third.data.media).toEqual(ready);
    expect([second.actor, second.request_id]).toEqual([first.actor, first.request_id]);
    for (const { type, data } of await events()) expect(eventData[type]?.schema.parse(data)).toEqual(data);
  });

  test("publishes no processing of an image that failed", async () => {
    const { id } = (await upload(tenant, image.subarray(0, 60))).body.data;
    expect((await finished(tenant, id)).status).toBe("failed");
    await tenant.delete(`/v1/media/${id}`);
    expect(await types(2)).toEqual(["media.uploaded", "media.deleted"]);
    const [, { data }] = await events();
    expect(data.media.failureReason).toBe("not a readable image");
    expect(eventData["media.deleted"]?.schema.safeParse(data).success).toBe(true);
  });

  test("publishes the processing once, even if the message arrives often", async () => {
    const { id } = (await upload(tenant, image)).body.data;
    const [uploaded] = await events(1);
    const copy = Buffer.from(JSON.stringify(uploaded));
    const connection = await connect(content.amqpUrl);
    const channel = await connection.createConfirmChannel();
    for (let n = 0; n < 20; n += 1) channel.sendToQueue("content.media", copy);
    await channel.waitForConfirms();
    await finished(tenant, id);
    await until("an empty queue", async () => {
      const { messageCount } = await channel.checkQueue("content.media");
      return messageCount === 0;
    });
    await connection.close();
    await tenant.delete(`/v1/media/${id}`);
    expect(await types(3)).toEqual(["media.uploaded", "media.processed", "media.deleted"]);
  });

  test("processes an image whose message is lost", async () => {
    const { id } = (await upload(tenant, image)).body.data;
    await finished(tenant, id);
    const lost = "status = 'uploaded', variants = '[]', created_at = now() - interval '1 hour'";
    await content.sql(`update media set ${lost} where id = $1`, [id]);
    expect((await finished(tenant, id)).variants).toHaveLength(3);
  });

  test("leaves no file of an image that is deleted during its processing", async () => {
    const ids = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const { id } = (await upload(tenant, image)).body.data;
        await tenant.delete(`/v1/media/${id}`);
        return id;
      }),
    );
    await until("every file to be deleted", async () => {
      const leftovers = "select from storage_leftovers where tenant_id = $1";
      const rows = await content.sql(leftovers, [tenant.tenantId]);
      const files = await readdir(`${content.mediaDir}/${tenant.tenantId}`);
      return rows.length + files.length === 0;
    });
    await until("the deletions", async () => (await countOf("media.deleted")) === ids.length);
  });

  test("processes images that a restart interrupted, once each", async () => {
    const uploads = await Promise.all(Array.from({ length: 5 }, () => upload(tenant, image)));
    await content.restart();
    tenant = content.newTenant(tenant.tenantId);
    for (const { body } of uploads) expect((await finished(tenant, body.data.id)).status).toBe("ready");
    await until("all events", async () => (await countOf("media.processed")) >= 5);
    expect(await countOf("media.processed")).toBe(5);
  });

  test("rejects an unreadable message to the poison queue", async () => {
    const connection = await connect(content.amqpUrl);
    const channel = await connection.createConfirmChannel();
    channel.sendToQueue("content.media", Buffer.from("{}"));
    await channel.waitForConfirms();
    await until(
      "the message in the poison queue",
      async () => (await channel.checkQueue("content.poison")).messageCount === 1,
    );
    await connection.close();
  });
});

test("the janitor deletes files behind a hundred that it cannot delete", async () => {
  const [blocked, deletable, mediaId] = [randomUUID(), randomUUID(), randomUUID()];
  // A file in place of the tenant's folder makes every deletion below it fail.
  await writeFile(`${content.mediaDir}/${blocked}`, "");
  await mkdir(`${content.mediaDir}/${deletable}/${mediaId}`, { recursive: true });
  await content.sql(
    `insert into storage_leftovers
     select $1::uuid, gen_random_uuid(), now() - interval '1 hour' from generate_series(1, ${BATCH_MAX})
     union all select $2, $3, now()`,
    [blocked, deletable, mediaId],
  );
  // The replica's janitor runs for the first time at its start.
  await content.startReplica();
  await until(
    "the other files to be deleted",
    async () => (await readdir(`${content.mediaDir}/${deletable}`)).length === 0,
  );
  const [row] = await content.sql(
    "select count(*)::int as count from storage_leftovers where tenant_id = $1 and remove_at > now()",
    [blocked],
  );
  expect(row.count).toBe(BATCH_MAX);
});
