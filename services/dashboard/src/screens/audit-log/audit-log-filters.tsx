// The filters of the audit log. They are in the address, so a filtered log can be shared.
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type Actors, actorOptions } from "../../data/use-actors.ts";
import { fieldOf, instantOf } from "../../format/local-time.ts";
import { Filters, InputFilter, SelectFilter } from "../../ui/filters.tsx";
import { PeriodFilter } from "../../ui/period-filter.tsx";
import { ACTIONS } from "./actions.ts";
import { auditLogSearch } from "./search.ts";

const ACTION_OPTIONS = ACTIONS.map(({ action, text }) => ({ value: action, text }));

export function AuditLogFilters({ actors }: { readonly actors: Actors }) {
  const { action, actorId, targetId, from, to } = useSearch({ from: "/app/audit-log" });
  const navigate = useNavigate({ from: "/audit-log" });
  const change = ({ from: after = "", to: before = "", ...rest }: Readonly<Record<string, string>>) =>
    navigate({ search: auditLogSearch({ ...rest, from: instantOf(after), to: instantOf(before) }) });
  return (
    <Filters label="Filter the audit log" onChange={change}>
      <SelectFilter label="What" name="action" value={action} options={ACTION_OPTIONS} />
      <SelectFilter label="Who" name="actorId" value={actorId} options={actorOptions(actors, actorId)} />
      <InputFilter label="Target" name="targetId" value={targetId} placeholder="Its id" />
      <PeriodFilter type="datetime-local" from={from && fieldOf(from)} to={to && fieldOf(to)} />
    </Filters>
  );
}
