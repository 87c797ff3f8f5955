create table ledger_blocks (
  company_id   uuid not null,
  level        smallint not null,
  block        bigint not null,
  events       bigint not null,
  delta_micros numeric(40) not null,
  latest_at    timestamptz not null,
  primary key (company_id, level, block)
);
