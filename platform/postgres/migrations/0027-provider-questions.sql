-- How far the payment provider was asked about what its events may have failed to report. Neither source of truth nor read
-- model: without a row the provider is asked again, which changes nothing that is known.
create table platform.provider_questions (
  kind        text primary key,
  -- When the sweep that is under way, or the last one, began.
  begun_at    timestamptz not null,
  -- null while it is under way.
  finished_at timestamptz,
  -- Where it continues.
  place       text
);
