-- The keys of personal fields, one for each subject, outside the event store: erasing a person takes the key away, and
-- what was written under it cannot be read any more. The row stays, so that nothing is ever written under a new one.
create table platform.personal_keys (
  subject    text collate "C" primary key,
  key        bytea check (octet_length(key) = 32),
  created_at timestamptz not null default now(),
  erased_at  timestamptz,
  check ((key is null) = (erased_at is not null))
);
