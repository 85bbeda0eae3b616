// The filters of the audit log. They are in the address, so a filtered log can be passed on.
import { useNavigate, useSearch } from "@tanstack/react-router";
import { fieldOf, instantOf } from "../../format/local-time.ts";
import { Filters, InputFilter, SelectFilter } from "../../ui/filters.tsx";
import { PeriodFilter } from "../../ui/period-filter.tsx";
import { ACTIONS } from "./actions.ts";
import type { Names } from "./names.ts";
import { auditLogSearch } from "./search.ts";

const ACTION_OPTIONS = ACTIONS.map(({ action, text }) => ({ value: action, text }));

export function AuditLogFilters({ names }: { readonly names: Names }) {
  const { action, actorId, targetId, from, to } = useSearch({ from: "/app/audit-log" });
  const navigate = useNavigate({ from: "/audit-log" });
  const change = ({ from: after = "", to: before = "", ...rest }: Readonly<Record<string, string>>) =>
    navigate({ search: auditLogSearch({ ...rest, from: instantOf(after), to: instantOf(before) }) });
  return (
    <Filters label="Filter the audit log" onChange={change}>
      <SelectFilter label="What" name="action" value={action} options={ACTION_OPTIONS} />
      <SelectFilter label="Who" name="actorId" value={actorId} options={actorsOf(names, actorId)} />
      <InputFilter label="Target" name="targetId" value={targetId} placeholder="Its id" />
      <PeriodFilter type="datetime-local" from={from && fieldOf(from)} to={to && fieldOf(to)} />
    </Filters>
  );
}

/** Adds the filtered actor if it is in neither list: someone who was removed is still in the log. */
function actorsOf({ people, keys }: Names, actorId: string | undefined) {
  const options = [
    ...people.map(({ id, name }) => ({ value: id, text: name })),
    ...keys.map(({ id, name }) => ({ value: id, text: `Key: ${name}` })),
  ];
  if (actorId === undefined || options.some(({ value }) => value === actorId)) return options;
  return [...options, { value: actorId, text: actorId }];
}
