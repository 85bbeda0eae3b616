// How a file is shown: its status, and a small picture.
import type { DataOf } from "@tradepost/client/operations";
import { useEffect, useRef, useState } from "react";
import { usePicture } from "../../data/use-picture.ts";
import { Badge } from "../../ui/badge.tsx";
import { PageIcon, PictureIcon } from "../../ui/icons.tsx";
import "./media.css";

export type Media = DataOf<"getMedia">;

const TEXTS = {
  uploaded: { tone: "warning", text: "Waiting" },
  processing: { tone: "warning", text: "Being resized" },
  ready: { tone: "good", text: "Ready" },
  failed: { tone: "danger", text: "Failed" },
} as const;

export function Status({ status }: Pick<Media, "status">) {
  const { tone, text } = TEXTS[status];
  return <Badge tone={tone}>{text}</Badge>;
}

export function isOpen({ status }: Pick<Media, "status">): boolean {
  return status === "uploaded" || status === "processing";
}

export function Thumbnail({ media }: { readonly media: Media }) {
  const frame = useRef<HTMLDivElement>(null);
  const isSeen = useIsSeen(frame);
  const hasPicture = media.variants.some(({ name }) => name === "thumbnail");
  const address = usePicture(media.id, { variant: "thumbnail", isWanted: hasPicture && isSeen });
  return (
    <div ref={frame} className="thumbnail">
      {hasPicture && address !== undefined ? (
        // The name is next to it.
        <img src={address} alt="" />
      ) : media.contentType.startsWith("image/") && isOpen(media) ? (
        <PictureIcon />
      ) : (
        !hasPicture && <PageIcon />
      )}
    </div>
  );
}

/** True once the element has been in view, or nearly. */
function useIsSeen(element: { readonly current: Element | null }): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
      },
      { rootMargin: "200px" },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isSeen;
}
