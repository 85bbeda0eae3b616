insert into "outbox" ("event_id", "aggregate_id", "type", "tenant_id", "request_id", "traceparent", "actor", "data") values ($1, $2, $3, $4, $5, $6, $7, $8)
