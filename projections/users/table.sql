create table users (
  user_id        uuid primary key,
  company_id     uuid,
  email          text,
  email_lookup   text,
  password_hash  text,
  is_super_admin boolean not null,
  token_version  integer not null,
  registered_at  timestamptz not null,
  erased_at      timestamptz
);
create index on users (email_lookup);
