// What other areas show of the media library.
export { Thumbnail } from "./thumbnail.tsx";
export { UploadList } from "./upload-list.tsx";
export { useUploads } from "./use-uploads.ts";
