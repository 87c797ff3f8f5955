-- What has worked at least once in this installation, for the set-up steps that super admins see.
create table platform.setup_seen (
  what    text collate "C" primary key,
  seen_at timestamptz not null default clock_timestamp()
);
