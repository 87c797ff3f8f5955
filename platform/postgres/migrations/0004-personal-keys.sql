-- The encryption keys of personal fields, one for each subject, outside the event store: erasing a person deletes the
-- key, and what was encrypted with it can no longer be read. The row stays, so that no new key is created for the subject.
create table platform.personal_keys (
  subject    text collate "C" primary key,
  key        bytea check (octet_length(key) = 32),
  created_at timestamptz not null default now(),
  erased_at  timestamptz,
  check ((key is null) = (erased_at is not null))
);
