create table projects (
  project_id    uuid primary key,
  company_id    uuid not null,
  name          text not null,
  member_ids    jsonb not null,
  limits        jsonb not null,
  budget_micros numeric(40),
  budget_period text,
  archived      boolean not null,
  created_at    timestamptz not null
);
create index on projects (company_id, created_at);
