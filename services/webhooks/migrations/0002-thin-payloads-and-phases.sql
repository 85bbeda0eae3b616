-- A subscription may get thin payloads: only what identifies the resource. Attempts say which address they called, and what each phase
-- took (interface §24).
-- A process of 1.0.0 sends the full ones as long as it runs.
-- works with: 1.0.0

alter table subscriptions add column payload text not null default 'full' check (payload in ('full', 'thin'));
-- Null for the full payload. A delivery keeps the form that its subscription had when it was made or restarted.
alter table deliveries add column is_thin boolean;
alter table attempts
  add column is_thin boolean,
  -- The IP address.
  add column address text,
  -- Whether its connection was open. Null for an attempt of 1.0.0.
  add column is_reused boolean,
  -- Measured for new connections and failures.
  add column phases json;

grant select (payload) on subscriptions to tradepost_webhooks_tenant;

drop trigger count_version on subscriptions;
create trigger count_version
  before update of name, url, events, active, secret_sealed, headers_sealed, max_per_second, max_in_flight, filter, payload on subscriptions
  for each row
  when ((old.name, old.url, old.events, old.secret_sealed, old.headers_sealed, old.max_per_second, old.max_in_flight, old.filter,
         old.payload)
        is distinct from
        (new.name, new.url, new.events, new.secret_sealed, new.headers_sealed, new.max_per_second, new.max_in_flight, new.filter,
         new.payload)
        or old.active <> new.active and old.held = new.held)
  execute function count_version();
