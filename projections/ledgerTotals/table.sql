create table ledger_totals (
  company_id     uuid not null,
  block          bigint not null,
  kind           text collate "C" not null,
  name           text collate "C" not null,
  first_revision bigint not null,
  entries        bigint not null,
  delta_micros   numeric(40) not null,
  primary key (company_id, block, kind, name)
);
