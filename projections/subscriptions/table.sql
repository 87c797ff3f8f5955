create table subscriptions (
  subscription_id      text collate "C" primary key,
  company_id           uuid not null,
  status               text not null,
  plan_id              uuid,
  started_at           timestamptz,
  ended_at             timestamptz,
  trial_end_at         timestamptz,
  period_end_at        timestamptz,
  cancel_at_period_end boolean not null,
  next_plan_id         uuid,
  duplicate_of         text,
  duplicate_ended_at   timestamptz,
  said_at              timestamptz,
  answered             boolean not null,
  renews_at            timestamptz,
  renewal_minor        numeric,
  renewal_currency     text,
  renewal_said_at      timestamptz,
  heard_at             timestamptz not null,
  updated_at           timestamptz not null
);
create index on subscriptions (company_id, started_at);
create index on subscriptions (subscription_id) where duplicate_of is not null and duplicate_ended_at is null;
