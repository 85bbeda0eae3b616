// Each chunk costs about a microsecond and at least a hundred bytes of garbage, however small it is. Only a hostile client splits a
// large body into tiny chunks; a small body never has this many.
const CHUNKS_FREE = 4_096;
/** For bodies that fit in memory, because clients may write JSON token by token. */
export const SMALL_BODY_BYTES_PER_CHUNK_MIN = 16;
/** For files, and for the rest of a refused body, which arrive in network packets. */
export const LARGE_BODY_BYTES_PER_CHUNK_MIN = 512;

/** Reports whether the chunks have fewer than `bytesPerChunkMin` bytes on average. The first 4,096 chunks may have any size. */
export function hasTooManyChunks(chunkCount: number, bytes: number, bytesPerChunkMin: number): boolean {
  return chunkCount > CHUNKS_FREE && bytes < chunkCount * bytesPerChunkMin;
}
