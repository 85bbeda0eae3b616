// What a media asset is, and which derivatives are made of an image (contract §5). Pure.

export type MediaStatus = "uploaded" | "processing" | "ready" | "failed";

/** A derivative as it is stored; its URL follows from the asset's id and its name. */
export interface Variant {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly contentType: string;
  readonly sizeBytes: number;
}
