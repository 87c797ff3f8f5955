-- The work that follows from events: neither truth nor read model. Dropped, it is found again in the feed; what was
-- done, or parked, stands in the stream of each task.
create table platform.tasks (
  task_id      uuid primary key,
  worker       text collate "C" not null,
  subject      text not null,
  payload      jsonb not null,
  status       text not null default 'waiting' check (status in ('waiting', 'parked', 'done')),
  attempts     int not null default 0,
  -- By the clock of the services; leases by this server's.
  due_at       timestamptz not null,
  leased_until timestamptz,
  -- Counts the holders, so that one who was replaced unawares changes nothing.
  lease_epoch  bigint not null default 0,
  done_at      timestamptz
) with (fillfactor = 70);
create index on platform.tasks (worker, due_at) where status = 'waiting';
create index on platform.tasks (done_at) where status = 'done';

-- What a worker knows of a stream, up to a revision: for causes that one event alone does not tell.
create table platform.worker_memory (
  worker   text collate "C" not null,
  stream   text collate "C" not null,
  revision bigint not null,
  memory   jsonb not null,
  primary key (worker, stream)
) with (fillfactor = 50);
-- The ids that are in it, where the store can hold an event twice.
create table platform.worker_counted (
  worker   text collate "C" not null,
  event_id uuid not null,
  primary key (worker, event_id)
);

-- Files that wait to be read, sealed under the key of their subject.
create table platform.document_files (
  document_id uuid primary key,
  company_id  uuid not null,
  subject     text not null,
  sealed      bytea not null,
  created_at  timestamptz not null default now()
);
create index on platform.document_files (company_id);
create index on platform.document_files (created_at);
