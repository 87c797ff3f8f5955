-- What the process that runs a generator tells of it, for those that are asked and do not run it. Neither truth nor read
-- model: it says nothing when that process is gone.
create table platform.generator_figures (
  name        text collate "C" primary key,
  epoch       bigint not null,
  figures     jsonb not null,
  reported_at timestamptz not null
) with (fillfactor = 50);
