create table ledger_parts (
  company_id   uuid not null,
  part         bigint not null,
  events       bigint not null,
  delta_micros numeric(40) not null,
  latest_at    timestamptz not null,
  first_at     timestamptz not null,
  entries      text not null,
  primary key (company_id, part)
);
