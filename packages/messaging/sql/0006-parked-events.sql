-- Finds the events that can never be published, for the operator and the metrics, however many events wait.
create index outbox_parked on outbox (id) where parked_at is not null;
