-- Calls that super admins make to test a route: a backend asks for one, a gateway takes it, makes it, and stores the result.
-- Neither source of truth nor read model, and no part of a ledger: nobody is charged for them.
create table platform.test_calls (
  call_id     uuid primary key,
  alias       text not null,
  provider    text not null,
  wire        text not null,
  asked_by    uuid not null,
  asked_at    timestamptz not null,
  taken_at    timestamptz,
  finished_at timestamptz,
  result      jsonb
);
create index on platform.test_calls (asked_at);
-- Gateways look for these every second.
create index on platform.test_calls (asked_at) where taken_at is null;
