-- The work that follows from events: neither source of truth nor read model. If dropped, the tasks are found again in the
-- feed; the stream of each task records whether it was done or parked.
create table platform.tasks (
  task_id      uuid primary key,
  worker       text collate "C" not null,
  subject      text not null,
  payload      jsonb not null,
  status       text not null default 'waiting' check (status in ('waiting', 'parked', 'done')),
  attempts     int not null default 0,
  -- By the clock of the services; leases go by the clock of this server.
  due_at       timestamptz not null,
  leased_until timestamptz,
  -- Grows with every holder, so that a holder that was replaced without noticing changes nothing.
  lease_epoch  bigint not null default 0,
  done_at      timestamptz
) with (fillfactor = 70);
create index on platform.tasks (worker, due_at) where status = 'waiting';
create index on platform.tasks (done_at) where status = 'done';

-- The state of a worker for a stream, up to a revision: for tasks that depend on more than one event.
create table platform.worker_memory (
  worker   text collate "C" not null,
  stream   text collate "C" not null,
  revision bigint not null,
  memory   jsonb not null,
  primary key (worker, stream)
) with (fillfactor = 50);
-- The event ids that this state includes, for stores that may hold an event twice.
create table platform.worker_counted (
  worker   text collate "C" not null,
  event_id uuid not null,
  primary key (worker, event_id)
);

-- Files that wait to be parsed, encrypted with the key of their subject.
create table platform.document_files (
  document_id uuid primary key,
  company_id  uuid not null,
  subject     text not null,
  sealed      bytea not null,
  created_at  timestamptz not null default now()
);
create index on platform.document_files (company_id);
create index on platform.document_files (created_at);
