-- Listeners: subscriptions without a URL, whose deliveries are leased. An open delivery of a listener waits in Postgres like any
-- other, and a lease is its lock. The previous version continues to work: it may claim such a delivery, but it cannot send it and
-- counts no attempt, and the delivery can be leased once the claim has expired.

alter table subscriptions alter column url drop not null;
alter table former_targets alter column url drop not null;

create table listeners (
  tenant_id uuid not null,
  subscription_id uuid not null,
  expires_in_hours smallint not null check (expires_in_hours between 1 and 720),
  -- Each lease postpones it.
  expires_at timestamptz(3) not null,
  -- Its subscription is paused until the next lease.
  has_expired boolean not null default false,
  primary key (tenant_id, subscription_id),
  foreign key (tenant_id, subscription_id) references subscriptions on delete cascade
);
create index listeners_expiring on listeners (expires_at) where not has_expired;

alter table listeners enable row level security;
create policy all_tenants on listeners to tradepost_webhooks using (true);
create policy one_tenant on listeners for select to tradepost_webhooks_tenant
  using (tenant_id = nullif(current_setting('tradepost.tenant_id', true), '')::uuid);
grant select, insert, update, delete on listeners to tradepost_webhooks;
grant select on listeners to tradepost_webhooks_tenant;

-- What each listener has leased. A delivery that is sent has another queue state while it is locked.
create index deliveries_leased on deliveries (tenant_id, subscription_id, locked_until)
  where queue_state = 'waiting' and locked_until is not null;
