// Images that do not get through: one that ends its decoder has three tries; a storage that fails costs none, and delays
// nobody else.
import { mkdir, rename, rmdir } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { until } from "@tradepost/testing";
import { finished, picture, type Tenant, upload, uploadAndWait } from "./support/media-client.ts";
import { decodersOf } from "./support/processes.ts";
import { startTestContent, type TestContent } from "./support/test-content.ts";

const onLinux = process.platform === "linux" ? test : test.skip;

describe("an image", () => {
  let content: TestContent;
  let tenant: Tenant;
  let image: Buffer;
  beforeAll(async () => {
    content = await startTestContent();
    image = await (await picture(40, 20)).png().toBuffer();
  });
  beforeEach(() => {
    tenant = content.newTenant();
  });
  afterAll(() => content.stop());

  const uploaded = async (by: Tenant = tenant): Promise<string> => (await upload(by, image)).body.data.id;
  const rowOf = async (id: string) =>
    (
      await content.sql(
        `select status, processing_attempts as attempts, extract(epoch from processing_until - now())::float as seconds
           from media where id = $1`,
        [id],
      )
    )[0];
  const hasten = (id: string) => content.sql("update media set processing_until = now() where id = $1", [id]);
  const untilTriesFailed = (id: string, attempts: number) =>
    until(`failed try ${attempts}`, async () => {
      const row = await rowOf(id);
      return row.attempts === attempts && row.status === "uploaded" && row;
    });

  onLinux(
    "whose decoder is killed is tried again after growing waits, and fails with the third",
    async () => {
      const killing = setInterval(() => {
        for (const pid of decodersOf(process.pid)) process.kill(pid, "SIGKILL");
      }, 5);
      try {
        const id = await uploaded();
        const first = await untilTriesFailed(id, 1);
        await hasten(id);
        const second = await untilTriesFailed(id, 2);
        expect(second.seconds).toBeGreaterThan(first.seconds);
        await hasten(id);
        expect(await finished(tenant, id)).toMatchObject({
          ...{ status: "failed", failureReason: "could not be processed", variants: [] },
        });
      } finally {
        clearInterval(killing);
      }
      expect(await uploadAndWait(tenant, image)).toMatchObject({ status: "ready" });
    },
  );

  test.each([
    [0, "ready"],
    [1, "ready"],
    [2, "failed"],
    [3, "failed"],
  ])("whose service died in the middle, after %i failed tries, ends %s", async (attempts, status) => {
    const id = await uploaded();
    await finished(tenant, id);
    await content.sql(
      `update media set status = 'processing', variants = '[]', processing_attempts = $2,
                        processing_until = now() - interval '1 second' where id = $1`,
      [id, attempts],
    );
    expect((await finished(tenant, id)).status).toBe(status);
  });

  test("whose storage fails waits without a try counted, and others pass", async () => {
    const folder = (by: Tenant, id: string) => `${content.mediaDir}/${by.tenantId}/${id}`;
    const failing = await Promise.all(
      [tenant, content.newTenant(), content.newTenant()].map(async (by) => {
        const id = await uploaded(by);
        await finished(by, id);
        // A directory in place of the file: it is there, and cannot be read.
        await rename(`${folder(by, id)}/original`, `${folder(by, id)}/kept`);
        await mkdir(`${folder(by, id)}/original`);
        return { by, id };
      }),
    );
    await content.sql("update media set status = 'uploaded', variants = '[]' where id = any($1)", [
      failing.map(({ id }) => id),
    ]);
    for (const { id } of failing) {
      await until("it to be put back", async () => ((await rowOf(id))?.seconds ?? 0) > 0);
    }
    expect(await uploadAndWait(content.newTenant(), image)).toMatchObject({ status: "ready" });
    for (const { by, id } of failing) {
      expect(await rowOf(id)).toMatchObject({ attempts: 0 });
      await rmdir(`${folder(by, id)}/original`);
      await rename(`${folder(by, id)}/kept`, `${folder(by, id)}/original`);
      await hasten(id);
      expect((await finished(by, id)).status).toBe("ready");
    }
  });
});
