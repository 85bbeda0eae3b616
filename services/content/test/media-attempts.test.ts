// Failed attempts to process an image: an image that crashes its decoder has three. An outage of the storage does not count, and
// does not delay other tenants.
import { mkdir, rename, rmdir } from "node:fs/promises";
import { until } from "@tradepost/testing";
import { finished, picture, uploadAndWait, uploaded } from "./support/media-client.ts";
import { decodersOf } from "./support/processes.ts";
import { ownTestContent, type TestTenant } from "./support/test-content.ts";

const onLinux = process.platform === "linux" ? test : test.skip;

const content = await ownTestContent();
const image = await (await picture(40, 20)).png().toBuffer();

describe("an image", () => {
  let tenant: TestTenant;
  beforeEach(() => {
    tenant = content.newTenant();
  });

  const rowOf = async (id: string) => {
    const [row] = await content.sql(
      `select status, processing_attempts as attempts, extract(epoch from processing_until - now())::float as seconds
         from media where id = $1`,
      [id],
    );
    return row;
  };
  const makeDue = (id: string) =>
    content.sql("update media set processing_until = now() where id = $1", [id]);
  const untilAttemptFailed = (id: string, attempts: number) =>
    until(`failed attempt ${attempts}`, async () => {
      const row = await rowOf(id);
      return row.attempts === attempts && row.status === "uploaded" && row;
    });

  onLinux(
    "whose decoder is killed is retried after growing waits, and fails after the third attempt",
    async () => {
      const killing = setInterval(() => {
        for (const pid of decodersOf(process.pid)) process.kill(pid, "SIGKILL");
      }, 25);
      try {
        const id = await uploaded(tenant, image);
        const first = await untilAttemptFailed(id, 1);
        await makeDue(id);
        const second = await untilAttemptFailed(id, 2);
        expect(second.seconds).toBeGreaterThan(first.seconds);
        await makeDue(id);
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
  ])("whose service died during an attempt, after %i failed ones, becomes %s", async (attempts, status) => {
    const id = await uploaded(tenant, image);
    await finished(tenant, id);
    await content.sql(
      `update media set status = 'processing', variants = '[]', processing_attempts = $2,
                        processing_until = now() - interval '1 second' where id = $1`,
      [id, attempts],
    );
    expect((await finished(tenant, id)).status).toBe(status);
  });

  onLinux("that another replica has claimed since is left to that replica", async () => {
    const stopping = setInterval(() => {
      for (const pid of decodersOf(process.pid)) process.kill(pid, "SIGSTOP");
    }, 25);
    const id = await uploaded(tenant, image);
    try {
      await until(
        "a stopped decoder",
        async () => (await rowOf(id)).status === "processing" && decodersOf(process.pid).length > 0,
      );
    } finally {
      clearInterval(stopping);
    }
    await content.sql(
      "update media set processing_attempts = 2, processing_until = now() + interval '300 s' where id = $1",
      [id],
    );
    for (const pid of decodersOf(process.pid)) process.kill(pid, "SIGKILL");
    // The images of a tenant are processed one after another.
    expect(await uploadAndWait(tenant, image)).toMatchObject({ status: "ready" });
    expect(await rowOf(id)).toMatchObject({ status: "processing", attempts: 2 });
  });

  test("whose file cannot be read waits without a failed attempt, and others do not wait", async () => {
    const folder = (by: TestTenant, id: string) => `${content.mediaDir}/${by.tenantId}/${id}`;
    const failing = await Promise.all(
      [tenant, content.newTenant(), content.newTenant()].map(async (by) => {
        const id = await uploaded(by, image);
        await finished(by, id);
        // A directory in place of the file makes reading fail.
        await rename(`${folder(by, id)}/original`, `${folder(by, id)}/moved`);
        await mkdir(`${folder(by, id)}/original`);
        return { by, id };
      }),
    );
    await content.sql("update media set status = 'uploaded', variants = '[]' where id = any($1)", [
      failing.map(({ id }) => id),
    ]);
    for (const { id } of failing) {
      await until("the image to be released", async () => ((await rowOf(id))?.seconds ?? 0) > 0);
    }
    expect(await uploadAndWait(content.newTenant(), image)).toMatchObject({ status: "ready" });
    for (const { by, id } of failing) {
      expect(await rowOf(id)).toMatchObject({ attempts: 0 });
      await rmdir(`${folder(by, id)}/original`);
      await rename(`${folder(by, id)}/moved`, `${folder(by, id)}/original`);
      await makeDue(id);
      expect((await finished(by, id)).status).toBe("ready");
    }
  });
});
