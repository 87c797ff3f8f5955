-- Events are inserted and never changed or removed, by no role that a service uses: not even by the owner of the table, unless it
-- disables the triggers first. Repairs after tampering do that (npm run admin -- repair-event), and leave an event. "Always", so
-- that a session with session_replication_role = replica is refused too. Inserts fire no trigger.
create function event_store.refuse_change() returns trigger
language plpgsql
as $$
begin
  raise exception 'events are never changed or removed (% on event_store.events)', lower(tg_op)
    using errcode = 'integrity_constraint_violation',
          hint = 'To repair an event that was tampered with, use "npm run admin -- repair-event".';
end
$$;

create trigger events_stay before update or delete on event_store.events
  for each statement execute function event_store.refuse_change();
create trigger events_stay_all before truncate on event_store.events
  for each statement execute function event_store.refuse_change();
alter table event_store.events enable always trigger events_stay;
alter table event_store.events enable always trigger events_stay_all;
