// The error of a storage that cannot store or read: a full disk, a bucket that does not respond or refuses.
export class StorageUnavailable extends Error {
  override readonly name = "StorageUnavailable";

  constructor(cause: unknown) {
    super("the storage of files is not available", { cause });
  }
}
