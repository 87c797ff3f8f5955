-- Whether the restore leaves the read models to the next start: the command that finishes the restore asks for the same.
alter table platform.unfinished_restore add column read_models_later boolean not null default false;
