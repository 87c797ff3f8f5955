create table credit_transactions (
  transaction_id uuid primary key,
  company_id     uuid not null,
  revision       bigint not null,
  type           text not null,
  amount_micros  numeric(40) not null,
  call_id        uuid,
  key_id         uuid,
  alias          text,
  tokens_in      bigint,
  tokens_out     bigint,
  reason         text,
  occurred_at    timestamptz not null
);
create index on credit_transactions (company_id, revision);
