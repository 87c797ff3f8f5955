-- The file of the newest published checkpoint, if it was given: the command that finishes the restore names it again.
alter table platform.unfinished_restore add column last_checkpoint text;
