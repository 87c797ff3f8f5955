-- The keys of the ledger's log that were replaced: the old one signed the first `size` entries last. The number is the
-- revision in the stream log-checkpoints. A read model of it, as the checkpoints are.
create table ledger_log.key_rotations (
  number     bigint primary key,
  origin     text not null,
  size       bigint not null,
  old_vkey   text not null,
  new_vkey   text not null,
  note       text not null,
  rotated_at timestamptz not null
);
-- The revision of the event that the origin is from: while a restored store is read again, an earlier one does not replace it.
alter table ledger_log.progress add column origin_number bigint not null default -1;
-- Why nothing is signed with the key of the settings. null while the key is the one that the log's readers know.
alter table ledger_log.progress add column key_fault text;
