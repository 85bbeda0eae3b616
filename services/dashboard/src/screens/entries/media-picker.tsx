// Chooses a file of the media library, by its picture or its name, or uploads one.
import type { DataOf } from "@tradepost/client/operations";
import { useEffect, useRef, useState } from "react";
import { useLiveList } from "../../data/use-live-list.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { PlusIcon } from "../../ui/icons.tsx";
import { ListView } from "../../ui/views.tsx";
import { Thumbnail, UploadList, useUploads } from "../media/door.ts";

export interface PickerProps {
  readonly onChoose: (id: string) => void;
  readonly onClose: () => void;
}

type Media = DataOf<"getMedia">;

const QUERY = { limit: 100 };
const LIVE_MS = 3_000;

export function MediaPicker({ onChoose, onClose }: PickerProps) {
  const [text, setText] = useState("");
  const { uploads, add, retry, cancel, clear } = useUploads();
  const list = useLiveList("listMedia", QUERY, { everyMs: LIVE_MS });
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const found = list.items?.filter(({ filename }) => isIn(filename, text));
  // The platform has no search by name, so the whole library is read, page by page.
  const isSearching = text !== "" && hasNextPage;
  useEffect(() => {
    if (isSearching && !isFetchingNextPage) void fetchNextPage();
  }, [isSearching, isFetchingNextPage, fetchNextPage]);
  return (
    <Dialog title="Choose a file" onClose={onClose} isWide>
      <div className="picker-head">
        <TextField
          label="Name"
          type="search"
          spellCheck={false}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          // The dialog is in the form of the entry, which Enter would send.
          onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        />
        <UploadButton onFiles={add} />
      </div>
      <UploadList uploads={uploads} onRetry={retry} onCancel={cancel} onClear={clear} />
      <ListView
        list={{ ...list, items: found }}
        nouns={{ one: "file", many: "files" }}
        empty={<Nothing isSearching={isSearching} text={text} />}
      >
        {(files) => (
          <div className="thumbs">
            {files.map((file) => (
              <File key={file.id} file={file} onChoose={onChoose} />
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

function File({ file, onChoose }: { readonly file: Media; readonly onChoose: PickerProps["onChoose"] }) {
  return (
    <button type="button" onClick={() => onChoose(file.id)}>
      <Thumbnail media={file} />
      <bdi>{file.filename}</bdi>
    </button>
  );
}

function UploadButton({ onFiles }: { readonly onFiles: (files: readonly globalThis.File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => input.current?.click()}>
        <PlusIcon /> Upload
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
    </>
  );
}

function Nothing({ isSearching, text }: { readonly isSearching: boolean; readonly text: string }) {
  if (isSearching) return <p className="soft">Searching…</p>;
  if (text !== "")
    return (
      <EmptyState title="No file has this name">
        <p>A part of the name is enough.</p>
      </EmptyState>
    );
  return (
    <EmptyState title="No files yet">
      <p>Upload the first.</p>
    </EmptyState>
  );
}

function isIn(filename: string, text: string): boolean {
  return filename.toLowerCase().includes(text.trim().toLowerCase());
}
