-- Readings of a file that began and did not end: a file that killed its readers is not read for ever.
alter table platform.document_files add column readings int not null default 0;
