// Each chunk costs about a microsecond and a hundred bytes of garbage. Only a hostile client splits a large body into tiny ones.
const CHUNKS_FREE = 4_096;
/** Clients may write JSON token by token. */
export const SMALL_BODY_BYTES_PER_CHUNK_MIN = 16;
/** Files, and the rest of a refused body, arrive in network packets. */
export const LARGE_BODY_BYTES_PER_CHUNK_MIN = 512;

/** Reports whether the chunks are too small on average. The first 4,096 may have any size. */
export function hasTooManyChunks(chunkCount: number, bytes: number, bytesPerChunkMin: number): boolean {
  return chunkCount > CHUNKS_FREE && bytes < chunkCount * bytesPerChunkMin;
}
