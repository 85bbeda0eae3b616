-- Each entry of a tenant's audit log has a number and a hash over the entry before it (interface §25). A trigger adds them, so that
-- entries of release 1.0.0 have them too.
-- works with: 1.0.0

alter table audit_log add column n bigint, add column hash bytea;

-- The last entry of each tenant's chain. Its row lock keeps two replicas from adding an entry at the same place.
create table audit_heads (
  tenant_id uuid primary key,
  n bigint not null default 0,
  hash bytea not null default decode(repeat('0', 64), 'hex'),
  at timestamptz(3),
  -- What the operator's log has of it.
  logged_n bigint not null default 0,
  logged_on date
);

-- RFC 8785, as JSON.stringify writes numbers.
create function canonical_number(value numeric) returns text language sql immutable strict parallel safe as $$
  select case when value = 0 then '0'
              when abs(value) >= 1e21 or abs(value) < 1e-6
                then regexp_replace(value::float8::text, 'e([+-])0*(\d)', 'e\1\2')
              else trim_scale(value::float8::text::numeric)::text end
$$;
create function canonical_json(value jsonb) returns text language plpgsql immutable strict parallel safe as $$
begin
  return case jsonb_typeof(value)
    when 'object' then
      (select '{' || coalesce(string_agg(to_json(key)::text || ':' || canonical_json(member), ',' order by key collate "C"), '') || '}'
         from jsonb_each(value) as each (key, member))
    when 'array' then
      (select '[' || coalesce(string_agg(canonical_json(item), ',' order by place), '') || ']'
         from jsonb_array_elements(value) with ordinality as items (item, place))
    when 'number' then canonical_number((value #>> '{}')::numeric)
    else value::text end;
end
$$;

create function audit_hash(before bytea, entry audit_log) returns bytea language sql stable as $$
  select sha256(convert_to(encode(before, 'hex') || E'\n' || canonical_json(jsonb_build_object(
    'id', entry.id, 'at', to_char(entry.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'actor', jsonb_build_object('type', entry.actor_type, 'id', entry.actor_id, 'name', entry.actor_name), 'action', entry.action,
    'target', jsonb_build_object('type', entry.target_type, 'id', entry.target_id), 'changes', entry.changes,
    'requestId', entry.request_id, 'ip', entry.ip, 'userAgent', entry.user_agent, 'n', entry.n)), 'UTF8'))
$$;

-- With the owner's rights, because the service may not write heads.
create function chain_audit_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head audit_heads;
begin
  loop
    select * into head from audit_heads where tenant_id = new.tenant_id for update;
    exit when found;
    insert into audit_heads (tenant_id) values (new.tenant_id) on conflict do nothing;
  end loop;
  -- The broker has delivered it again.
  if exists (select from audit_log where tenant_id = new.tenant_id and id = new.id) then
    return null;
  end if;
  new.n := head.n + 1;
  new.hash := audit_hash(head.hash, new);
  update audit_heads set n = new.n, hash = new.hash, at = new.created_at where tenant_id = new.tenant_id;
  return new;
end
$$;
revoke all on function chain_audit_entry from public;

do $$
declare
  entry audit_log;
  last audit_heads;
begin
  lock table audit_log in share row exclusive mode;
  for entry in select * from audit_log order by tenant_id, created_at, id loop
    if entry.tenant_id is distinct from last.tenant_id then
      insert into audit_heads select (last).* where last.tenant_id is not null;
      last := row(entry.tenant_id, 0, decode(repeat('0', 64), 'hex'), null, 0, null)::audit_heads;
    end if;
    entry.n := last.n + 1;
    last.hash := audit_hash(last.hash, entry);
    last.n := entry.n;
    last.at := entry.created_at;
    update audit_log set n = last.n, hash = last.hash where tenant_id = entry.tenant_id and id = entry.id;
  end loop;
  insert into audit_heads select (last).* where last.tenant_id is not null;
end
$$;

alter table audit_log alter column n set not null, alter column hash set not null;
create unique index audit_log_chain on audit_log (tenant_id, n);
create trigger chain_audit_entry before insert on audit_log for each row execute function chain_audit_entry();

grant select, update (logged_n, logged_on) on audit_heads to tradepost_gateway;
