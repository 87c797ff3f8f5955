-- The secret from which the salts of a company's entries in the ledger's log derive. Source of truth, part of a backup:
-- without it no entry of the company can be computed again.
create table platform.log_secrets (
  company_id uuid primary key,
  secret     bytea not null check (octet_length(secret) = 32),
  created_at timestamptz not null default now()
);

-- The ledger's log, a Merkle tree. A read model: it can be dropped and rebuilt from the event store and the secrets.
create schema ledger_log;

-- One row. Every event before the position that belongs to the log is sealed; some after it may be, too. Only the sealer of
-- this epoch updates it. The origin is null until a restore starts another one than that of the settings. The fault is null while the store matches every signed checkpoint.
create table ledger_log.progress (
  singleton   boolean primary key default true check (singleton),
  position    text collate "C" not null,
  size        bigint not null,
  epoch       bigint not null,
  origin      text,
  fault       text,
  fault_event uuid
) with (fillfactor = 50);
insert into ledger_log.progress (position, size, epoch) values ('', 0, 0);

create table ledger_log.entries (
  index       bigint primary key,
  entry       bytea not null,
  event_id    uuid not null,
  company_id  uuid not null,
  -- Counts the entries of the company. The revision is where the event stands in its stream of this store.
  number      bigint not null,
  revision    bigint not null,
  recorded_at timestamptz not null,
  -- As in the event store, where an id is unique within its stream.
  unique (event_id, company_id),
  unique (company_id, number)
);

-- The tiles of C2SP tlog-tiles. The row of a tile that is not full is replaced while the tile grows.
create table ledger_log.tiles (
  level  smallint not null,
  index  bigint not null,
  hashes bytea not null,
  primary key (level, index)
) with (fillfactor = 70);

-- The number is the revision in the stream log-checkpoints.
create table ledger_log.checkpoints (
  number    bigint primary key,
  origin    text not null,
  size      bigint not null,
  root      bytea not null,
  note      text not null,
  signed_at timestamptz not null
);
create index on ledger_log.checkpoints (origin, size);
