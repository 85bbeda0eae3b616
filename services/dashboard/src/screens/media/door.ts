// What other areas show of the media library.
export { Thumbnail } from "./media-file.tsx";
export { UploadList, useUploads } from "./uploads.tsx";
