-- Where sessions and audit entries come from, and the indexes by which sessions are listed, ended and deleted. Every new
-- column is nullable, so that an older version goes on writing without them.

alter table sessions
  -- When the session was last carried on by a refresh; null until the first one.
  add column last_used_at timestamptz(3),
  add column ip text,
  add column user_agent text;

-- All sessions of a user, and what a removed user cascades to.
create index sessions_of_user on sessions (tenant_id, user_id, created_at desc, id desc);
-- The sessions that are over longest. `least` ignores nulls: a session is over when it ends or expires.
create index sessions_over on sessions (least(ended_at, expires_at));

alter table audit_log
  add column ip text,
  add column user_agent text;

create index audit_log_of_target on audit_log (tenant_id, target_id, created_at desc, id desc);
