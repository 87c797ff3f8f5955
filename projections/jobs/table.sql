create table jobs (
  job_id          uuid primary key,
  company_id      uuid not null,
  title           text not null,
  status          text not null,
  location        text,
  employment_type text,
  seniority       text,
  requirements    jsonb not null,
  metadata        jsonb not null,
  posted_at       timestamptz not null,
  published_at    timestamptz,
  closed_at       timestamptz
);
create index on jobs (company_id, published_at, job_id) where status = 'ACTIVE';
