create table companies (
  company_id         uuid primary key,
  name               text not null,
  billing_mode       text not null,
  hard_cap           boolean not null,
  credit_limit_micros numeric(40),
  plan_id            uuid,
  postpaid_since     timestamptz,
  postpaid_until     timestamptz,
  registered_at      timestamptz not null,
  suspended_at       timestamptz,
  suspended_reason   text,
  low_balance        text not null,
  low_balance_micros numeric(40)
);
