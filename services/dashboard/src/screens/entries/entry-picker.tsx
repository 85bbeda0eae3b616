// Chooses the entry that a field refers to.
import { useState } from "react";
import { useList } from "../../data/use-list.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { SelectField } from "../../ui/field.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { ListView } from "../../ui/views.tsx";
import { titleOf } from "./field-values.ts";
import type { PickerProps } from "./media-picker.tsx";
import type { Entry } from "./status.ts";
import { StatusBadge } from "./status-badge.tsx";
import { useTypes } from "./use-types.ts";

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
        <Button look="quiet" onClick={() => onChoose(entry.id)}>
          Choose<span className="hidden"> {titleOf(fieldsOf(entry.type), entry)}</span>
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
