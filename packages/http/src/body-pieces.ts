// How finely a body may be cut. Each piece costs a microsecond and a hundred bytes or more of garbage, however small it is.
// No client cuts a large body into tiny pieces by accident; one that does has the first thousands for free. Pure.

const PIECES_FREE = 4_096;
/** For bodies that fit in memory: clients may write JSON token by token. */
export const SMALL_BODY_BYTES_PER_PIECE_MIN = 16;
/** For files, and what is left of a refused body: these come in network packets. */
export const LARGE_BODY_BYTES_PER_PIECE_MIN = 512;

/** Whether so many pieces for so many bytes are too many. */
export function isCutTooFinely(pieces: number, bytes: number, bytesPerPieceMin: number): boolean {
  return pieces > PIECES_FREE && bytes < pieces * bytesPerPieceMin;
}
