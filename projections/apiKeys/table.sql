create table api_keys (
  key_id        uuid primary key,
  company_id    uuid not null,
  name          text not null,
  hash          text not null,
  hint          text not null,
  scopes        jsonb not null,
  models        jsonb,
  rpm           bigint not null,
  tpm           bigint not null,
  status        text not null,
  expires_at    timestamptz,
  rotated_from  uuid,
  minted_at     timestamptz not null,
  revoked_at    timestamptz,
  label         text,
  budget_micros numeric(40),
  budget_period text,
  budget_set_at timestamptz,
  minted_by     uuid
);
create index on api_keys (company_id, minted_at);
create index on api_keys (rotated_from) where rotated_from is not null;
create index on api_keys (expires_at) where status = 'LIVE';
create index on api_keys (company_id) where budget_micros is not null;
