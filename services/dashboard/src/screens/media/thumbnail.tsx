// A small picture of a file, which is read when it comes into view. A file that is not an image shows its kind.
import { useEffect, useRef, useState } from "react";
import { usePicture } from "../../data/use-picture.ts";
import { PageIcon, PictureIcon } from "../../ui/icons.tsx";
import { isOpen, type Media } from "./status.tsx";
import "./thumbnail.css";

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
