// What a storage says of a key under which nothing lies.

export class FileMissing extends Error {
  override readonly name = "FileMissing";

  constructor(key: string, cause: unknown) {
    super(`nothing is stored as ${key}`, { cause });
  }
}
