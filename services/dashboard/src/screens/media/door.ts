export { Thumbnail } from "./media-file.tsx";
export { UploadList, useUploads } from "./uploads.tsx";
