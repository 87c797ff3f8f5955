-- The tables of the read models are made by the projection runner, from the table.sql beside each projection.
create schema read_models;

-- How far each projection has come, by partition of the feed. It moves in the same transaction as the rows.
create table read_models.checkpoints (
  projection text collate "C" not null,
  partition  text collate "C" not null,
  version    int not null,
  position   text collate "C" not null,
  primary key (projection, partition)
) with (fillfactor = 50);
