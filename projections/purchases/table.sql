create table purchases (
  purchase_id       uuid primary key,
  company_id        uuid not null,
  user_id           uuid not null,
  pack_id           uuid not null,
  status            text not null,
  credits_micros    numeric not null,
  price             text not null,
  currency          text not null,
  session_id        text,
  expires_at        timestamptz,
  failure_reason    text,
  payment_intent_id text,
  refunded_micros   numeric not null,
  started_at        timestamptz not null,
  completed_at      timestamptz
);
create index on purchases (company_id, started_at);
create index on purchases (expires_at) where status = 'PENDING';
