// The files that are used in addition to docker-compose.yml: images pinned by digest, and a private authority for receivers.
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { COMPOSE_FILE, fillIn, parseCompose, ROOT } from "./support/compose-file.ts";
import { finalImage } from "./support/dockerfile.ts";

const compose = parseCompose(readFileSync(COMPOSE_FILE, "utf8"));
const textOf = (name: string) => readFileSync(path.join(ROOT, "deploy", name), "utf8");

describe("compose.digests.yml", () => {
  const pinned = parseCompose(textOf("compose.digests.yml")).services;
  const built = { build: { args: { NODE_IMAGE: pin(finalImage().base) } } };

  test("pins each image of docker-compose.yml and of the Dockerfile, and changes nothing else", () => {
    expect(Object.keys(pinned).sort()).toEqual(Object.keys(compose.services).sort());
    for (const [name, { image }] of Object.entries(compose.services))
      expect([name, pinned[name]]).toEqual([name, image === undefined ? built : { image: pin(image) }]);
  });

  test("pins each image to one digest", () => {
    const references = textOf("compose.digests.yml").match(/\S+@sha256:\S+/g) ?? [];
    const digests = new Set(references.map((reference) => reference.split("@")[1]));
    expect([references.length, digests.size]).toEqual([3, 3]);
  });
});

describe("compose.receivers-ca.yml", () => {
  const text = textOf("compose.receivers-ca.yml");
  const file = "/etc/tradepost/receivers-ca.pem";

  test("mounts a file with authorities into the webhooks service only, which Node trusts", () => {
    const { services, configs } = parseCompose(fillIn(text, { RECEIVERS_CA_FILE: "./receivers-ca.pem" }));
    expect(configs).toEqual({ "receivers-ca": { file: "./receivers-ca.pem" } });
    expect(services).toEqual({
      webhooks: {
        environment: { NODE_EXTRA_CA_CERTS: file },
        configs: [{ source: "receivers-ca", target: file }],
      },
    });
    expect(compose.services.webhooks?.configs).toBeUndefined();
  });

  test("does not start without the path of the file", () => {
    expect(() => fillIn(text, {})).toThrow("RECEIVERS_CA_FILE is missing a value");
  });
});

/** Matches the image with the same tag and a digest. */
function pin(image: string): unknown {
  return expect.stringMatching(new RegExp(`^${image.replaceAll(".", "\\.")}@sha256:[0-9a-f]{64}$`));
}
