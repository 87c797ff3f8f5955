-- The restore that was begun on this installation and has not ended. Until it has, the event store holds only a part of
-- the backup, so nothing but the restore may use it.
create table platform.unfinished_restore (
  singleton boolean primary key default true check (singleton),
  file text not null,
  sha256 text not null,
  began_at timestamptz not null default clock_timestamp()
);
