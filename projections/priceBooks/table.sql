create table price_books (
  book_id        uuid primary key,
  effective_from timestamptz not null,
  prices         jsonb not null,
  published_at   timestamptz not null,
  revision       bigint not null
);
