// Chooses a file of the media library, by its picture or its name.
import { Link } from "@tanstack/react-router";
import type { DataOf } from "@tradepost/client/operations";
import { useList } from "../../data/use-list.ts";
import { usePicture } from "../../data/use-picture.ts";
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

function Thumbnail({ file: { id } }: { readonly file: Media }) {
  const address = usePicture(id, { variant: "thumbnail" });
  return address === undefined ? null : <img src={address} alt="" />;
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
