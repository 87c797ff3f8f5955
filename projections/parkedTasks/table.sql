create table parked_tasks (
  task_id   uuid primary key,
  worker    text not null,
  subject   text not null,
  attempts  int not null,
  error     text not null,
  status    text not null,
  parked_at timestamptz not null
);
create index on parked_tasks (parked_at, task_id) where status <> 'DONE';
