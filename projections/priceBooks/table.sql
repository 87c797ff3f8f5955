create table price_books (
  book_id        uuid primary key,
  -- Null: the prices of all companies.
  company_id     uuid,
  effective_from timestamptz not null,
  prices         jsonb not null,
  retired        jsonb not null,
  replaces_all   boolean not null,
  published_at   timestamptz not null,
  revision       bigint not null
);
create index on price_books (company_id, effective_from, revision);
