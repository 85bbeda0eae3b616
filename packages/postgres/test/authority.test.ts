// A database whose certificate comes from a private authority.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { databaseAddress } from "@tradepost/runtime";
import { createAuthority, issueCertificate, startTlsProxy } from "@tradepost/testing";
import { connect, useDatabase } from "./support/use-database.ts";

const database = await useDatabase();

test("a database is trusted by the authority of its address, for the name of its certificate only", async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "authority-"));
  database.atEnd(() => rm(folder, { recursive: true }));
  // A different authority from the one that Node trusts in tests.
  const authority = await createAuthority();
  const caFile = path.join(folder, "ca.crt");
  await writeFile(caFile, authority.certificate);
  const serveAs = async (name: string) => {
    const proxy = await startTlsProxy(database.url, await issueCertificate(authority, [name]));
    database.atEnd(proxy.stop);
    return proxy.url;
  };
  const [own, other] = await Promise.all([serveAs("127.0.0.1"), serveAs("another.example")]);
  const select = async (url: string) => {
    const { pool, stop } = connect(url);
    return await pool
      .query("select 1 as one")
      .then(({ rows }) => rows)
      .finally(stop);
  };
  expect(await select(databaseAddress(own, { POSTGRES_CA_FILE: caFile }))).toEqual([{ one: 1 }]);
  await expect(select(databaseAddress(other, { POSTGRES_CA_FILE: caFile }))).rejects.toThrow(/altnames/);
  await expect(select(`${own}?sslmode=verify-full`)).rejects.toThrow(/certificate/);
});
