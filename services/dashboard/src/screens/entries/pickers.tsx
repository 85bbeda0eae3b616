import type { DataOf } from "@tradepost/client/operations";
import { useEffect, useRef, useState } from "react";
import { useList } from "../../data/use-list.ts";
import { useLiveList } from "../../data/use-live-list.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { PlusIcon } from "../../ui/icons.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { EmptyState, ListView } from "../../ui/views.tsx";
import { Thumbnail, UploadList, useUploads } from "../media/door.ts";
import { StatusBadge } from "./entry-status.tsx";
import { titleOf } from "./field-values.ts";
import type { Entry } from "./status.ts";
import { useTypes } from "./value.tsx";

interface PickerProps {
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

export function EntryPicker({ onChoose, onClose }: PickerProps) {
  const [type, setType] = useState("");
  const { types, nameOf, fieldsOf } = useTypes();
  const list = useList("listEntries", type === "" ? {} : { type });
  const columns: Column<Entry>[] = [
    {
      name: "Entry",
      isHeading: true,
      cell: (entry) => (
        <div className="lines">
          <bdi className="clamped">{titleOf(fieldsOf(entry.type), entry)}</bdi>
          <span className="soft">{nameOf(entry.type)}</span>
        </div>
      ),
    },
    { name: "Status", cell: (entry) => <StatusBadge entry={entry} /> },
    {
      name: "Actions",
      isActions: true,
      cell: (entry) => (
        <Button look="quiet" onClick={() => onChoose(entry.id)} about={titleOf(fieldsOf(entry.type), entry)}>
          Choose
        </Button>
      ),
    },
  ];
  return (
    <Dialog title="Choose an entry" onClose={onClose} isWide>
      <SelectField
        label="Type"
        options={[
          { value: "", text: "All" },
          ...types.map(({ slug, name }) => ({ value: slug, text: name })),
        ]}
        value={type}
        onChange={({ currentTarget }) => setType(currentTarget.value)}
      />
      <ListView
        list={list}
        empty={
          <EmptyState title="No entries">
            <p>Choose another type, or write the entry first.</p>
          </EmptyState>
        }
      >
        {(entries) => <Table caption="Entries" columns={columns} rows={entries} />}
      </ListView>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
      </DialogActions>
    </Dialog>
  );
}
