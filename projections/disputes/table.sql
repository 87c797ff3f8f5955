create table disputes (
  dispute_id        text collate "C" primary key,
  company_id        uuid not null,
  status            text not null,
  is_inquiry        boolean not null,
  amount_minor      numeric not null,
  currency          text not null,
  reason            text not null,
  respond_by        timestamptz,
  charge_id         text not null,
  payment_intent_id text,
  purchase_id       uuid,
  invoice_id        text,
  opened_at         timestamptz not null,
  closed_at         timestamptz
);
create index on disputes (opened_at, dispute_id);
create index on disputes (company_id, opened_at, dispute_id);
