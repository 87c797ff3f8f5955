create table members (
  company_id uuid not null,
  user_id    uuid not null,
  role       text,
  changed_at timestamptz not null,
  primary key (company_id, user_id)
);
