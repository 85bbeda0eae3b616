// Offers a file that the page has made or read as a download.

export function saveFile(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The download has begun by then, so the browser keeps the file for it.
  URL.revokeObjectURL(link.href);
}
