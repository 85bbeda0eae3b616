-- The standing of an endpoint: besides its window, whether it is proven and whether it is down. When a subscription is deleted or
-- gets another URL, the tenant's next endpoint at the same origin inherits its standing. The previous version continues to work:
-- it changes the window only, and this version learns the rest from its own attempts. The update locks the endpoints for about a
-- second per 100,000.

alter table endpoints
  alter column window_size set default 2,
  -- Its latest attempt succeeded in time.
  add column proven boolean not null default false,
  -- It gets one attempt at a time, because too many failed in a row.
  add column down boolean not null default false,
  -- Scheme, host and port of its URL. Null if the previous version created it, or if the host's name is too long for DNS.
  add column origin text check (char_length(origin) <= 300);

update endpoints
   set proven = coalesce(last_success_at > coalesce(last_failure_at, '-infinity'), false),
       down = consecutive_failures >= 50,
       origin = case when char_length(url_origin) <= 300 then url_origin end
  from subscriptions
 cross join lateral (
   select regexp_replace(lower(substring(url from '(?i)^https://[^/?]+')), ':443$', '') as url_origin
 ) parsed
 where subscriptions.tenant_id = endpoints.tenant_id and subscriptions.id = endpoints.subscription_id;

-- The standings of endpoints that a tenant no longer has, by origin.
create table former_standings (
  tenant_id uuid not null,
  origin text not null,
  window_size smallint not null check (window_size > 0),
  proven boolean not null,
  down boolean not null,
  kept_at timestamptz(3) not null default now(),
  primary key (tenant_id, origin)
);
create index former_standings_oldest_first on former_standings (kept_at);

alter table former_standings enable row level security;
create policy all_tenants on former_standings to tradepost_webhooks using (true);
grant select, insert, update, delete on former_standings to tradepost_webhooks;

-- A trigger, because the previous version deletes subscriptions as well. The standing of an endpoint without attempts is not
-- kept, because nothing has changed it.
create function keep_standing() returns trigger language plpgsql as $$
begin
  insert into former_standings (tenant_id, origin, window_size, proven, down)
  values (old.tenant_id, old.origin, old.window_size, old.proven, old.down)
  on conflict (tenant_id, origin) do update
     set window_size = excluded.window_size, proven = excluded.proven, down = excluded.down, kept_at = excluded.kept_at;
  return null;
end
$$;
create trigger keep_standing_of_deleted after delete on endpoints for each row
  when (old.origin is not null and (old.window_size, old.proven, old.down) <> (2, false, false))
  execute function keep_standing();
create trigger keep_standing_at_former_origin after update of origin on endpoints for each row
  when (old.origin is not null and old.origin is distinct from new.origin
        and (old.window_size, old.proven, old.down) <> (2, false, false))
  execute function keep_standing();
