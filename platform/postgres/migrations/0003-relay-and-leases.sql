create schema platform;

-- The holder of each task that only one process may do at a time. Times come from the clock of this server, so the
-- clocks of its clients do not matter. The epoch grows with every holder and goes into what the holder writes, so that
-- a holder that was replaced without noticing is detected.
create table platform.leases (
  name       text collate "C" primary key,
  holder     text not null,
  epoch      bigint not null,
  expires_at timestamptz not null
) with (fillfactor = 50);

create schema feed;

-- One row. The id is part of the name of every topic and consumer group: topics contain positions of one event store,
-- and a recreated database must not read the topics of its predecessor.
create table feed.relay (
  only_row   boolean primary key default true check (only_row),
  feed_id    text not null,
  -- All events up to this position are published. Only the leader of this epoch updates it.
  position   text collate "C" not null,
  epoch      bigint not null,
  updated_at timestamptz not null default now()
) with (fillfactor = 50);
insert into feed.relay (feed_id, position, epoch) values (substr(replace(gen_random_uuid()::text, '-', ''), 1, 12), '', 0);

-- The position of the last message on each partition, be it an event or a watermark.
create table feed.partitions (
  partition text collate "C" primary key,
  position  text collate "C" not null
) with (fillfactor = 50);
