-- The operators' commands that change something, for `ops audit`. Only their programs read and write the table. The previous release
-- continues to work; its commands are not recorded.
-- works with: 0.2.0

create table operator_commands (
  id uuid primary key,
  at timestamptz(3) not null default now(),
  actor text not null,
  command text not null,
  -- Without secrets and e-mails.
  arguments text[] not null,
  -- Null while the command runs, and if it was interrupted.
  exit_status smallint
);
create index operator_commands_by_time on operator_commands (at);
