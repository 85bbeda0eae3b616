-- The client's address and user agent in sessions and audit entries, and the indexes for listing, ending and deleting
-- sessions. Every new column is nullable, so that the previous version of the service can still insert rows.

alter table sessions
  -- The time of the last refresh; null until the first one.
  add column last_used_at timestamptz(3),
  add column ip text,
  add column user_agent text;

-- For the sessions of a user, and for the cascade when a user is deleted.
create index sessions_of_user on sessions (tenant_id, user_id, created_at desc, id desc);
-- For the sessions that ended or expired first. `least` ignores nulls.
create index sessions_over on sessions (least(ended_at, expires_at));

alter table audit_log
  add column ip text,
  add column user_agent text;

create index audit_log_of_target on audit_log (tenant_id, target_id, created_at desc, id desc);
