create table key_spend (
  key_id       uuid not null,
  period       text collate "C" not null,
  company_id   uuid not null,
  spent_micros numeric(40) not null,
  last_used_at timestamptz not null,
  primary key (key_id, period)
);
create index on key_spend (company_id, period);
create index on key_spend (period);
