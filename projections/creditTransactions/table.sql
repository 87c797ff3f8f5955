create table credit_transactions (
  transaction_id uuid not null,
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
  occurred_at    timestamptz not null,
  primary key (company_id, revision)
);
