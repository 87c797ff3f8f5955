create table talents (
  talent_id           uuid primary key,
  company_id          uuid not null,
  name                text,
  location            text,
  seniority           text,
  years_of_experience double precision,
  skills              jsonb not null,
  languages           jsonb not null,
  registered_at       timestamptz not null,
  erased_at           timestamptz
);
create index on talents (company_id, registered_at, talent_id);
