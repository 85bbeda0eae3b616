import { Link, useSearch } from "@tanstack/react-router";
import { type DragEvent, useState } from "react";
import { useIsAllowed } from "../../data/me.ts";
import { useLiveList } from "../../data/use-live-list.ts";
import { type Selection, useSelection } from "../../data/use-selection.ts";
import { searchOf } from "../../format/search-values.ts";
import { size } from "../../format/words.ts";
import { Button, TextLink } from "../../ui/button.tsx";
import { AddressFilters, InputFilter } from "../../ui/filters.tsx";
import { EmptyState, ListView } from "../../ui/list.tsx";
import { BehindTheScreen, Screen } from "../../ui/screen.tsx";
import { SelectAll, Tick } from "../../ui/select-all.tsx";
import { Time } from "../../ui/value.tsx";
import { type Media as MediaFile, Status, Thumbnail, UploadButton, UploadList, useUploads } from "./door.tsx";
import { DeleteMedia } from "./used-in.tsx";
import "./media.css";

export default function Media() {
  const mayChange = useIsAllowed({ role: "editor" });
  const { search } = useSearch({ from: "/app/media" });
  const { add, ...uploads } = useUploads();
  const drop = useDrop(add);
  return (
    <Screen
      title="Media"
      intro="Images and files for your site. Of each image, smaller versions are made."
      action={mayChange && <UploadButton text="Upload files" look="primary" onFiles={add} />}
    >
      <AddressFilters label="Filter files" isReplacing>
        <InputFilter label="File name" name="search" />
      </AddressFilters>
      <div className="media" data-dropping={drop.isOver || undefined} {...(mayChange && drop.handlers)}>
        {mayChange && <UploadList {...uploads} />}
        <MediaList key={search} search={search} />
      </div>
    </Screen>
  );
}

function MediaList({ search }: { readonly search: string | undefined }) {
  const mayChange = useIsAllowed({ role: "editor" });
  const query = { ...searchOf(search), count: true };
  const list = useLiveList("listMedia", query);
  const selection = useSelection(list);
  const [deleted, setDeleted] = useState<readonly MediaFile[] | null>(null);
  return (
    <>
      <ListView
        list={list}
        nouns={{ one: "file", many: "files" }}
        empty={<NoMedia isFiltered={search !== undefined} mayChange={mayChange} />}
      >
        {(files) => (
          <>
            {mayChange && (
              <div className="media-head">
                <SelectAll label="Selected files" selection={selection}>
                  <Button text="Delete" onClick={() => setDeleted(selection.ticked)} />
                </SelectAll>
              </div>
            )}
            <ul className="media-grid">
              {files.map((file) => (
                <MediaCard key={file.id} file={file} selection={mayChange ? selection : undefined} />
              ))}
            </ul>
          </>
        )}
      </ListView>
      {deleted && <DeleteMedia files={deleted} onClose={() => setDeleted(null)} />}
      <BehindTheScreen operation="listMedia" input={{ query }} />
    </>
  );
}

interface MediaCardProps {
  readonly file: MediaFile;
  readonly selection: Selection | undefined;
}

function MediaCard({ file, selection }: MediaCardProps) {
  const { id, filename, sizeBytes, width, height, status, createdAt } = file;
  return (
    <li className="card">
      <Thumbnail media={file} />
      {selection && <Tick label={`Select ${filename}`} selection={selection} id={id} />}
      <div className="lines">
        <TextLink to="/media/$mediaId" params={{ mediaId: id }} text={filename} />
        <span className="soft">
          {size(sizeBytes)}
          {width !== null && ` · ${width} × ${height}`} · <Time at={createdAt} />
        </span>
        {status !== "ready" && <Status status={status} />}
      </div>
    </li>
  );
}

function NoMedia({ isFiltered, mayChange }: { readonly isFiltered: boolean; readonly mayChange: boolean }) {
  if (isFiltered)
    return (
      <EmptyState title="No file matches">
        <p>
          Each word must begin a word of the file’s name. See <Link to="/media">all files</Link>.
        </p>
      </EmptyState>
    );
  return (
    <EmptyState
      title="No files yet"
      text={
        mayChange
          ? "Upload the first: choose files, or drop them here. Up to 25 MiB each."
          : "An editor uploads images and files here."
      }
    />
  );
}

function useDrop(onDrop: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false);
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes("Files");
  return {
    isOver,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        onDrop([...event.dataTransfer.files]);
      },
    },
  };
}
