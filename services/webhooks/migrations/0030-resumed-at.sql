-- When a subscription became active again after a pause or a suspension: deliveries that it held until then are not late. The
-- previous release continues to work: a trigger writes the time.
-- works with: 0.2.0

alter table subscriptions add column resumed_at timestamptz;

-- Triggers run in the order of their names: if hold_activated has kept the subscription from becoming active, this one does not run.
create function note_resumption() returns trigger language plpgsql as $$
begin
  new.resumed_at := now();
  return new;
end
$$;
create trigger note_resumption before update of active on subscriptions
  for each row when (new.active and not old.active) execute function note_resumption();
