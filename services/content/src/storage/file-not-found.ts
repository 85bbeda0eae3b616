// The error of a storage that has no file with the given key.
export class FileNotFound extends Error {
  override readonly name = "FileNotFound";

  constructor(key: string, cause: unknown) {
    super(`no file is stored as ${key}`, { cause });
  }
}
