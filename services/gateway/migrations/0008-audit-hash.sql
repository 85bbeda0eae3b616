-- The same hash as before, computed in a fraction of the time: the members of an entry are known, so only `changes` is put in order.
-- works with: 1.0.0

create or replace function audit_hash(before bytea, entry audit_log) returns bytea language plpgsql stable as $$
begin
  return sha256(convert_to(concat(encode(before, 'hex'), E'\n{"action":', to_json(entry.action),
    ',"actor":{"id":', to_json(entry.actor_id), ',"name":', to_json(entry.actor_name), ',"type":', to_json(entry.actor_type),
    '},"at":"', to_char(entry.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    '","changes":', canonical_json(entry.changes), ',"id":', to_json(entry.id), ',"ip":', coalesce(to_json(entry.ip)::text, 'null'),
    ',"n":', entry.n, ',"requestId":', to_json(entry.request_id),
    ',"target":{"id":', to_json(entry.target_id), ',"type":', to_json(entry.target_type),
    '},"userAgent":', coalesce(to_json(entry.user_agent)::text, 'null'), '}'), 'UTF8'));
end
$$;
