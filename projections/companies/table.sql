create table companies (
  company_id    uuid primary key,
  name          text not null,
  billing_mode  text not null,
  hard_cap      boolean not null,
  registered_at timestamptz not null
);
