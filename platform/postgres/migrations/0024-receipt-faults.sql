-- The first receipt that did not verify, until the log is rebuilt or a whole scrub finds that the store matches it.
alter table ledger_log.progress
  add column receipt_fault    text,
  add column receipt_event    uuid,
  add column receipt_fault_at timestamptz;
