-- The messages that companies receive over webhooks. Neither source of truth nor read model: what is not delivered is found
-- again in the feed, and the stream of each task records what was.

-- The notices that were turned into messages, so that one that is noticed again leads to nothing.
create table platform.webhook_notices (
  message_id uuid primary key,
  noticed_at timestamptz not null
);
create index on platform.webhook_notices (noticed_at);

-- The last number given to a message of an endpoint. A restore begins a new series.
create table platform.webhook_counters (
  endpoint_id uuid primary key,
  series      uuid not null,
  last_number bigint not null
) with (fillfactor = 50);

create table platform.webhook_deliveries (
  delivery_id     uuid primary key,
  endpoint_id     uuid not null,
  company_id      uuid not null,
  message_id      uuid not null,
  type            text not null,
  number          bigint not null,
  body            text not null,
  state           text not null default 'PENDING' check (state in ('PENDING', 'DELIVERED', 'FAILED', 'CANCELED')),
  -- How often it was queued; each time is a task of its own.
  sendings        int not null default 1,
  attempts        int not null default 0,
  last_status     int,
  last_error      text,
  last_attempt_at timestamptz,
  next_attempt_at timestamptz,
  -- The time from which the retries of this sending count.
  sent_from       timestamptz not null,
  queued_at       timestamptz not null
) with (fillfactor = 70);
create index on platform.webhook_deliveries (endpoint_id, queued_at, number);
create index on platform.webhook_deliveries (queued_at);

-- Tasks wait in queues, which take turns: that of an endpoint, or that of a company.
create index on platform.tasks (worker, (coalesce(payload->>'queue', payload->>'companyId', '')), due_at)
  where status = 'waiting';
