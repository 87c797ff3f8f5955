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
  corrects       uuid,
  occurred_at    timestamptz not null,
  primary key (company_id, revision)
);
create index on credit_transactions (company_id, occurred_at, revision);
create index on credit_transactions (company_id, type, occurred_at, revision) where type <> 'USAGE';
