-- Suspended tenants. While a tenant is suspended none of its subscriptions is active, so its deliveries wait like the deliveries
-- of a paused subscription. The previous release continues to work: a trigger does the work that it omits.
-- works with: 0.2.0

create table suspended_tenants (
  tenant_id uuid primary key,
  suspended_at timestamptz(3) not null default now()
);
alter table suspended_tenants enable row level security;
create policy all_tenants on suspended_tenants to tradepost_webhooks using (true);
grant select on suspended_tenants to tradepost_webhooks;

-- It is not active only because its tenant is suspended; it is active again when the tenant is resumed.
alter table subscriptions add column held boolean not null default false check (not (held and active));

-- For requests that were in progress when the tenant was suspended.
create function hold_subscription() returns trigger language plpgsql as $$
begin
  if exists (select from suspended_tenants where tenant_id = new.tenant_id) then
    new.active := false;
    new.held := true;
  end if;
  return new;
end
$$;
create trigger hold_inserted before insert on subscriptions for each row when (new.active) execute function hold_subscription();
create trigger hold_activated before update of active on subscriptions for each row
  when (new.active and not old.active) execute function hold_subscription();

-- A suspension does not count as a change of the subscription: its version, which is its ETag, stays.
drop trigger count_version on subscriptions;
create trigger count_version before update of name, url, events, active, secret_sealed, headers_sealed on subscriptions
  for each row
  when ((old.name, old.url, old.events, old.secret_sealed, old.headers_sealed)
        is distinct from (new.name, new.url, new.events, new.secret_sealed, new.headers_sealed)
        or old.active <> new.active and old.held = new.held)
  execute function count_version();
