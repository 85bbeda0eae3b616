-- The same hashes as before, in a third of the time: the members of an entry are known, so only `changes` is put in order, and the
-- head is read and written by one statement.
-- works with: 1.0.0

create or replace function canonical_json(value jsonb) returns text language plpgsql immutable strict parallel safe as $$
declare
  kind text := jsonb_typeof(value);
  key text;
  item jsonb;
  members text := '';
begin
  if kind = 'object' then
    foreach key in array array(select name from jsonb_object_keys(value) as name order by name collate "C") loop
      members := members || ',' || to_json(key)::text || ':' || canonical_json(value -> key);
    end loop;
    return '{' || substr(members, 2) || '}';
  elsif kind = 'array' then
    for item in select jsonb_array_elements(value) loop
      members := members || ',' || canonical_json(item);
    end loop;
    return '[' || substr(members, 2) || ']';
  elsif kind = 'number' then
    return canonical_number((value #>> '{}')::numeric);
  end if;
  return value::text;
end
$$;

drop function audit_hash(bytea, audit_log);
create function audit_hash(before bytea, n bigint, entry audit_log) returns bytea language plpgsql stable as $$
begin
  return sha256(convert_to(concat(encode(before, 'hex'), E'\n{"action":', to_json(entry.action),
    ',"actor":{"id":', to_json(entry.actor_id), ',"name":', to_json(entry.actor_name), ',"type":', to_json(entry.actor_type),
    '},"at":"', to_char(entry.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    '","changes":', canonical_json(entry.changes), ',"id":', to_json(entry.id), ',"ip":', coalesce(to_json(entry.ip)::text, 'null'),
    ',"n":', n, ',"requestId":', to_json(entry.request_id),
    ',"target":{"id":', to_json(entry.target_id), ',"type":', to_json(entry.target_type),
    '},"userAgent":', coalesce(to_json(entry.user_agent)::text, 'null'), '}'), 'UTF8'));
end
$$;

create or replace function chain_audit_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- A queue at this lock takes less of the server's time than one at the row.
  perform pg_advisory_xact_lock(hashtext('audit_heads'), hashtext(new.tenant_id::text));
  loop
    update audit_heads set n = n + 1, hash = audit_hash(hash, n + 1, new), at = new.created_at
     where tenant_id = new.tenant_id returning n, hash into new.n, new.hash;
    exit when found;
    insert into audit_heads (tenant_id) values (new.tenant_id) on conflict do nothing;
  end loop;
  -- Before the insert, because `on conflict do nothing` would leave a gap.
  if exists (select from audit_log where tenant_id = new.tenant_id and id = new.id) then
    raise unique_violation using constraint = 'audit_log_pkey';
  end if;
  return new;
end
$$;
