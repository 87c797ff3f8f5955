-- The projection runner creates the tables of the read models, from the table.sql beside each projection.
create schema read_models;

-- How far each projection has come on each partition of the feed. Updated in the same transaction as the rows.
create table read_models.checkpoints (
  projection text collate "C" not null,
  partition  text collate "C" not null,
  version    int not null,
  position   text collate "C" not null,
  primary key (projection, partition)
) with (fillfactor = 50);
