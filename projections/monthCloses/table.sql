create table month_closes (
  company_id     uuid not null,
  month          text collate "C" not null,
  revision       numeric not null,
  terms          text not null,
  closed_at      timestamptz not null,
  billed_at      timestamptz,
  credits_micros numeric(40),
  amount_minor   numeric,
  lines          text,
  carried_micros numeric(40),
  settled_at     timestamptz,
  primary key (company_id, month)
);
create index on month_closes (company_id, month) where billed_at is null;
