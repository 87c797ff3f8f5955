-- Counts the rebuilds and restores of the log. A sealer or a scrub that began before one must begin again.
alter table ledger_log.progress add column generation bigint not null default 0;

-- One row: how far the running scrub has compared the event store with the log, and when the last whole one finished.
-- A scrub resumes only in the log of this generation, and only if the tiles still give the root that it computed.
create table ledger_log.scrub (
  singleton   boolean primary key default true check (singleton),
  generation  bigint not null,
  position    text collate "C" not null,
  size        bigint not null,
  root        bytea not null,
  -- The revision of the next event in the stream log-checkpoints.
  checkpoints bigint not null,
  began_at    timestamptz,
  finished_at timestamptz,
  created_at  timestamptz not null default now()
) with (fillfactor = 50);
insert into ledger_log.scrub (generation, position, size, root, checkpoints) values (0, '', 0, '', 0);
