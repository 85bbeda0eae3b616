// Chooses a file of the media library, by its picture or its name.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { useList } from "../../data/use-list.ts";
import { request } from "../../session/request.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ListView } from "../../ui/views.tsx";

export interface PickerProps {
  readonly onChoose: (id: string) => void;
  readonly onClose: () => void;
}

type Media = DataOf<"getMedia">;

const QUERY = { limit: 24 };
const LINK_MS = 3_000_000;

export function MediaPicker({ onChoose, onClose }: PickerProps) {
  const list = useList("listMedia", QUERY);
  return (
    <Dialog title="Choose a file" onClose={onClose} isWide>
      <ListView list={list} empty={<NoMedia />}>
        {(files) => (
          <div className="thumbs">
            {files.map((file) => (
              <button key={file.id} type="button" onClick={() => onChoose(file.id)}>
                {file.variants.some(({ name }) => name === "thumbnail") && <Thumbnail file={file} />}
                <bdi>{file.filename}</bdi>
              </button>
            ))}
          </div>
        )}
      </ListView>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
      </DialogActions>
    </Dialog>
  );
}

/** An image of a page cannot send the token, so it gets a link that needs none and ends after an hour. */
function Thumbnail({ file: { id } }: { readonly file: Media }) {
  const { data } = useQuery({
    queryKey: ["createMediaLink", id],
    queryFn: () => request("createMediaLink", { path: { id }, body: { variant: "thumbnail" } }),
    staleTime: LINK_MS,
  });
  if (data === undefined) return null;
  const { pathname, search } = new URL(data.data.url, location.href);
  return <img src={`${pathname}${search}`} alt="" />;
}

function NoMedia() {
  return (
    <EmptyState title="No files yet">
      <p>
        <Link to="/media" target="_blank">
          Upload one
        </Link>{" "}
        in another tab, and come back.
      </p>
    </EmptyState>
  );
}
