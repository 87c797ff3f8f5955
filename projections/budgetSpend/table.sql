create table budget_spend (
  account      text collate "C" not null,
  period       text collate "C" not null,
  company_id   uuid not null,
  spent_micros numeric(40) not null,
  primary key (account, period)
);
create index on budget_spend (company_id, period);
create index on budget_spend (period);
