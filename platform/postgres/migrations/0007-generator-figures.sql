-- Figures that the process running a generator reports, for processes that are asked but do not run it. Neither source
-- of truth nor read model: the figures are meaningless once that process is gone.
create table platform.generator_figures (
  name        text collate "C" primary key,
  epoch       bigint not null,
  figures     jsonb not null,
  reported_at timestamptz not null
) with (fillfactor = 50);
