import { useState } from "react";
import { useList } from "../../data/operations.ts";
import { useLiveList } from "../../data/use-live-list.ts";
import { usePaused } from "../../data/use-paused.ts";
import { searchOf } from "../../format/search-values.ts";
import { entryTitle } from "../../format/words.ts";
import { Button } from "../../ui/button.tsx";
import { CancelButton, Dialog, DialogActions, useClose } from "../../ui/dialog.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { type Column, EmptyState, ListView, Table } from "../../ui/list.tsx";
import { Thumbnail, UploadButton, UploadList, useUploads } from "../media/door.tsx";
import { StatusBadge } from "./entry-status.tsx";
import type { Entry } from "./status.ts";
import { useTypes } from "./value.tsx";

interface PickerProps {
  readonly onChoose: (id: string) => void;
}

function useChoose({ onChoose }: PickerProps) {
  const close = useClose();
  return (id: string) => {
    close();
    onChoose(id);
  };
}

export function MediaPicker(props: PickerProps) {
  const choose = useChoose(props);
  const [text, setText] = useState("");
  const { add, ...uploads } = useUploads();
  const list = useLiveList("listMedia", searchOf(usePaused(text)));
  return (
    <Dialog title="Choose a file" isWide>
      <div className="picker-head">
        <SearchField label="Name" text={text} onType={setText} />
        <UploadButton text="Upload" onFiles={add} />
      </div>
      <UploadList {...uploads} />
      <ListView list={list} nouns={{ one: "file", many: "files" }} empty={<Nothing text={text} />}>
        {(files) => (
          <div className="thumbs">
            {files.map((file) => (
              <button key={file.id} type="button" onClick={() => choose(file.id)}>
                <Thumbnail media={file} />
                <bdi>{file.filename}</bdi>
              </button>
            ))}
          </div>
        )}
      </ListView>
      <DialogActions>
        <CancelButton />
      </DialogActions>
    </Dialog>
  );
}

interface SearchFieldProps {
  readonly label: string;
  readonly text: string;
  readonly onType: (text: string) => void;
}

function SearchField({ label, text, onType }: SearchFieldProps) {
  return (
    <TextField
      label={label}
      type="search"
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
      // The dialog is in the form of the entry, which Enter would send.
      onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
    />
  );
}

function Nothing({ text }: { readonly text: string }) {
  if (text !== "")
    return <EmptyState title="No file has this name" text="The beginning of a word of the name is enough." />;
  return <EmptyState title="No files yet" text="Upload the first." />;
}

export function EntryPicker(props: PickerProps) {
  const choose = useChoose(props);
  const [type, setType] = useState("");
  const [text, setText] = useState("");
  const { types, nameOf } = useTypes();
  const list = useList("listEntries", {
    ...(type !== "" && { type }),
    ...searchOf(usePaused(text)),
  });
  const columns: Column<Entry>[] = [
    {
      name: "Entry",
      cell: (entry) => (
        <div className="lines">
          <bdi className="clamped">{entryTitle(entry)}</bdi>
          <span className="soft">{nameOf(entry.type)}</span>
        </div>
      ),
    },
    { name: "Status", cell: (entry) => <StatusBadge entry={entry} /> },
    {
      name: "Actions",
      isActions: true,
      cell: (entry) => (
        <Button text="Choose" look="quiet" onClick={() => choose(entry.id)} about={entryTitle(entry)} />
      ),
    },
  ];
  return (
    <Dialog title="Choose an entry" isWide>
      <SearchField label="Title or slug" text={text} onType={setText} />
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
        empty={<EmptyState title="No entries" text="Choose another type, or write the entry first." />}
      >
        {(entries) => <Table caption="Entries" columns={columns} rows={entries} />}
      </ListView>
      <DialogActions>
        <CancelButton />
      </DialogActions>
    </Dialog>
  );
}
