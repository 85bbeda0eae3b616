// Signed links, with which anyone reads a file until they expire or are ended (interface §5). Pure.
import { createHmac, timingSafeEqual } from "node:crypto";
import { isUuid } from "@tradepost/http";
import { isVariantName, type VariantName } from "./image/variant.ts";

export interface MediaLink {
  readonly tenantId: string;
  readonly mediaId: string;
  readonly variant: VariantName | undefined;
  /** In seconds since 1970, exclusive. */
  readonly expiresAt: number;
  /** The link is valid until the asset's links are ended again. */
  readonly linksEndedCount: number;
}

export function signedPath(link: MediaLink, secrets: readonly string[]): string {
  return pathSignedWith(link, secrets[0] ?? "");
}

/** Returns null if any character differs from the signed link. */
export function linkOf(
  url: string,
  mediaId: string,
  query: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[],
): MediaLink | null {
  const { tenant = "", variant, expires = "", ended = "0" } = query;
  if (!isUuid(tenant) || !/^\d{1,11}$/.test(expires) || !/^\d{1,10}$/.test(ended)) return null;
  if (variant !== undefined && !isVariantName(variant)) return null;
  const link = {
    tenantId: tenant,
    mediaId,
    variant,
    expiresAt: Number(expires),
    linksEndedCount: Number(ended),
  };
  const isGenuine = secrets.map((secret) => isEqual(url, pathSignedWith(link, secret))).includes(true);
  return isGenuine ? link : null;
}

function pathSignedWith(link: MediaLink, secret: string): string {
  const { tenantId, mediaId, variant, expiresAt, linksEndedCount } = link;
  const ofVariant = variant === undefined ? "" : `&variant=${variant}`;
  const afterEnd = linksEndedCount === 0 ? "" : `&ended=${linksEndedCount}`;
  const path = `/v1/media/${mediaId}/links/file?tenant=${tenantId}${ofVariant}&expires=${expiresAt}${afterEnd}`;
  return `${path}&signature=${createHmac("sha256", secret).update(path).digest("hex")}`;
}

function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
