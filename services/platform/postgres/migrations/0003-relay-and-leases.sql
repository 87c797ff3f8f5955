create schema platform;

-- Who may do what only one may do at a time. Times are this server's, so that the clocks of its clients do not matter.
-- The epoch counts the holders: what a holder writes carries it, so that one who was replaced unawares is found out.
create table platform.leases (
  name       text collate "C" primary key,
  holder     text not null,
  epoch      bigint not null,
  expires_at timestamptz not null
) with (fillfactor = 50);

create schema feed;

-- One row. The id stands in the name of every topic and consumer group: topics are about the positions of one event
-- store, and a database that is founded anew must not take those of another one for its own.
create table feed.relay (
  only_row   boolean primary key default true check (only_row),
  feed_id    text not null,
  -- All events up to here are published. Moved by the leader of this epoch only.
  position   text collate "C" not null,
  epoch      bigint not null,
  updated_at timestamptz not null default now()
) with (fillfactor = 50);
insert into feed.relay (feed_id, position, epoch) values (substr(replace(gen_random_uuid()::text, '-', ''), 1, 12), '', 0);

-- The position of the last message on each partition, an event's or a watermark's.
create table feed.partitions (
  partition text collate "C" primary key,
  position  text collate "C" not null
) with (fillfactor = 50);
