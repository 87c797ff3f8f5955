-- The maximum cost of the calls in flight of companies with a hard cap, for several gateways without Redis. Each function
-- is one round trip and one transaction; it locks the row of the company first, so admissions are serialized. Times come
-- from the clock of this server.

create table platform.hold_owners (
  owner      text collate "C" primary key,
  expires_at timestamptz not null
) with (fillfactor = 50);

-- A view of the ledger behind the floor lacks charges that settled_holds no longer contains.
create table platform.hold_companies (
  company_id text collate "C" primary key,
  floor      text collate "C" not null default ''
);

create table platform.holds (
  company_id    text collate "C" not null,
  hold_id       text collate "C" not null,
  owner         text collate "C" not null,
  amount_micros numeric not null,
  primary key (company_id, hold_id)
) with (fillfactor = 70);

create table platform.settled_holds (
  company_id    text collate "C" not null,
  position      text collate "C" not null,
  hold_id       text collate "C" not null,
  amount_micros numeric not null,
  settled_at    timestamptz not null default clock_timestamp(),
  primary key (company_id, position, hold_id)
);
create index settled_holds_by_age on platform.settled_holds (company_id, settled_at);

create function platform.place_hold(
  for_owner text, for_company text, for_hold text, amount numeric, balance numeric, seen text, kept_ms float8
) returns table (outcome text, held numeric, unseen numeric, floor text, lapsed text[]) language plpgsql as $$
declare
  dropped text;
begin
  insert into platform.hold_companies (company_id) values (for_company) on conflict do nothing;
  select c.floor into floor from platform.hold_companies c where c.company_id = for_company for update;
  if not exists (
    select from platform.hold_owners o where o.owner = for_owner and o.expires_at > clock_timestamp()
  ) then
    outcome := 'lapsed';
    return next;
    return;
  end if;
  with old as (
    delete from platform.settled_holds s
    where s.company_id = for_company and s.settled_at < clock_timestamp() - kept_ms * interval '1 ms'
    returning s.position
  )
  select max(old.position) into dropped from old;
  if dropped collate "C" > floor then
    floor := dropped;
    update platform.hold_companies c set floor = dropped where c.company_id = for_company;
  end if;
  if seen collate "C" < floor then
    outcome := 'behind';
    return next;
    return;
  end if;
  -- One statement and so one snapshot: a hold that becomes a charge at the same time is counted exactly once.
  select
    (select coalesce(sum(h.amount_micros), 0) from platform.holds h
     where h.company_id = for_company and h.hold_id <> for_hold),
    (select coalesce(sum(s.amount_micros), 0) from platform.settled_holds s
     where s.company_id = for_company and s.position > seen),
    (select coalesce(array_agg(distinct h.owner), '{}') from platform.holds h
     where h.company_id = for_company and not exists (
       select from platform.hold_owners o where o.owner = h.owner and o.expires_at > clock_timestamp()))
  into held, unseen, lapsed;
  outcome := 'refused';
  if balance - held - unseen >= amount then
    outcome := 'held';
    insert into platform.holds (company_id, hold_id, owner, amount_micros)
    values (for_company, for_hold, for_owner, amount)
    on conflict (company_id, hold_id) do update set owner = excluded.owner, amount_micros = excluded.amount_micros;
  end if;
  return next;
end
$$;

-- Does not wait for the disk: if a crash loses the settled charge, its hold remains, which is at least as large.
create function platform.settle_hold(for_owner text, for_company text, for_hold text, at text, amount numeric)
returns void language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  delete from platform.holds h
  where h.company_id = for_company and h.hold_id = for_hold and h.owner = for_owner;
  insert into platform.settled_holds (company_id, position, hold_id, amount_micros)
  values (for_company, at, for_hold, amount)
  on conflict do nothing;
end
$$;

create function platform.release_hold(for_owner text, for_company text, for_hold text) returns void language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  delete from platform.holds h
  where h.company_id = for_company and h.hold_id = for_hold and h.owner = for_owner;
end
$$;

create function platform.reap_holds(for_company text, for_owner text, head text) returns void language plpgsql as $$
begin
  -- The lock waits for a renewal that came in time but is not committed yet.
  perform from platform.hold_owners o where o.owner = for_owner for update;
  if exists (select from platform.hold_owners o where o.owner = for_owner and o.expires_at > clock_timestamp()) then
    return;
  end if;
  with gone as (
    delete from platform.holds h where h.company_id = for_company and h.owner = for_owner returning h.amount_micros
  ), total as (select sum(amount_micros) as amount from gone)
  insert into platform.settled_holds (company_id, position, hold_id, amount_micros)
  select for_company, head, for_owner, total.amount from total where total.amount is not null
  on conflict (company_id, position, hold_id)
    do update set amount_micros = platform.settled_holds.amount_micros + excluded.amount_micros;
end
$$;
