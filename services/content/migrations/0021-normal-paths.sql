-- Finds a redirect by the normal form of its path (interface §5), although 0.2.0 stored other forms: `/caf%c3%a9`, `/a|b`. 0.2.0
-- continues to find its redirects by the form that it stored, so that form stays, and the normal form has a column of its own. Two
-- paths of 0.2.0 may have one normal form: the older redirect is the one that is found.
-- works with: 0.2.0

-- Returns the normal form of a path as 0.2.0 stored it; null if it is longer than an index allows. See site-path.ts.
create function normal_path(path text) returns text language sql immutable as $$
  select case when path !~ '[^A-Za-z0-9._~/!$&''()*+,;=:@-]' then path else (
    select case when length(string_agg(normal, '' order by n)) <= 2048 then string_agg(normal, '' order by n) end
      from regexp_matches(path, '%[0-9A-Fa-f]{2}|.', 'g') with ordinality as found (match, n),
           lateral (select case
             when upper(match[1]) ~ '^%(2[DE]|3[0-9]|[46][1-9A-F]|[57][0-9A]|5F|7E)$'
               then chr(get_byte(decode(substr(match[1], 2), 'hex'), 0))
             when length(match[1]) = 3 then upper(match[1])
             when match[1] ~ '[A-Za-z0-9._~/!$&''()*+,;=:@-]' then match[1]
             else '%' || upper(encode(convert_to(match[1], 'UTF8'), 'hex'))
           end) as octet (normal)) end
$$;

-- The normal form of from_path where that differs.
alter table redirects add column normal_from text;
create index redirects_normal_from on redirects (tenant_id, normal_from) where normal_from is not null;

create function normalise_paths() returns trigger language plpgsql as $$
begin
  new.normal_from := nullif(normal_path(new.from_path), new.from_path);
  new.to_path := normal_path(new.to_path);
  return new;
end
$$;
create trigger normalise_paths before insert or update on redirects
  for each row execute function normalise_paths();

-- As before, and 'taken' if there is a redirect from `goal` in another form. Both releases then respond `redirect_exists`.
-- Two lookups by an index, where Postgres would plan one with OR as a scan while the table is almost empty.
create or replace function follow_redirects(tenant uuid, start text, goal text, hops_max integer) returns text
language plpgsql volatile set enable_seqscan = off as $$
declare
  path text := normal_path(start);
  normal_goal text := normal_path(goal);
  hops integer := 0;
begin
  -- The same lock as in redirect-store.ts.
  perform pg_advisory_xact_lock(hashtextextended(tenant::text, 0));
  while path is not null loop
    if path = normal_goal then
      return 'goal';
    elsif hops > hops_max then
      return 'too long';
    end if;
    path := (select to_path
               from (select * from redirects where tenant_id = tenant and from_path = path
                      union all select * from redirects where tenant_id = tenant and normal_from = path) as found
              order by created_at, id limit 1);
    hops := hops + 1;
  end loop;
  if goal <> normal_goal and exists (select from redirects where tenant_id = tenant and from_path = normal_goal)
     or exists (select from redirects where tenant_id = tenant and normal_from = normal_goal) then
    return 'taken';
  end if;
  return 'end';
end
$$;
