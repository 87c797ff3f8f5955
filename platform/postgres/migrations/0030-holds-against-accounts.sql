-- A call is held against the balance of its company and against each of its budgets by one statement, or against none of
-- them. An account is a company, or a budget in a period.

drop function platform.place_hold(text, text, text, numeric, numeric, text, float8);
drop function platform.settle_hold(text, text, text, text, numeric);
drop function platform.release_hold(text, text, text);
drop function platform.reap_holds(text, text, text);

alter table platform.hold_companies rename to hold_accounts;
alter table platform.hold_accounts rename column company_id to account;
alter table platform.holds rename column company_id to account;
alter table platform.settled_holds rename column company_id to account;

create function platform.place_hold(
  for_owner text, for_accounts text[], for_hold text, amount numeric, balances numeric[], seen text, kept_ms float8
) returns table (outcome text, account text, held numeric, unseen numeric, floor text, lapsed text[]) language plpgsql as $$
#variable_conflict use_column
begin
  -- In one order for all calls, so that two of them cannot wait for each other.
  insert into platform.hold_accounts (account) select a from unnest(for_accounts) a order by a on conflict do nothing;
  perform from platform.hold_accounts h where h.account = any(for_accounts) order by h.account for update;
  if not exists (
    select from platform.hold_owners o where o.owner = for_owner and o.expires_at > clock_timestamp()
  ) then
    outcome := 'lapsed';
    return next;
    return;
  end if;
  with old as (
    delete from platform.settled_holds s
    where s.account = any(for_accounts) and s.settled_at < clock_timestamp() - kept_ms * interval '1 ms'
    returning s.account, s.position
  ), dropped as (select old.account, max(old.position) as position from old group by old.account)
  update platform.hold_accounts h set floor = d.position
  from dropped d where h.account = d.account and d.position collate "C" > h.floor;
  select max(h.floor) into floor from platform.hold_accounts h where h.account = any(for_accounts);
  if seen collate "C" < floor then
    outcome := 'behind';
    return next;
    return;
  end if;
  select coalesce(array_agg(distinct h.owner), '{}') into lapsed from platform.holds h
  where h.account = any(for_accounts) and not exists (
    select from platform.hold_owners o where o.owner = h.owner and o.expires_at > clock_timestamp());
  -- One statement and so one snapshot: a hold that becomes a charge at the same time is counted exactly once.
  select used.account, used.held, used.unseen into account, held, unseen
  from unnest(for_accounts, balances) with ordinality as a (name, balance, place)
  cross join lateral (
    select a.name as account,
      (select coalesce(sum(h.amount_micros), 0) from platform.holds h
       where h.account = a.name and h.hold_id <> for_hold) as held,
      (select coalesce(sum(s.amount_micros), 0) from platform.settled_holds s
       where s.account = a.name and s.position > seen) as unseen
  ) as used
  where a.balance - used.held - used.unseen < amount
  order by a.place limit 1;
  outcome := 'refused';
  if account is null then
    outcome := 'held';
    insert into platform.holds (account, hold_id, owner, amount_micros)
    select a, for_hold, for_owner, amount from unnest(for_accounts) a
    on conflict (account, hold_id) do update set owner = excluded.owner, amount_micros = excluded.amount_micros;
  end if;
  return next;
end
$$;

-- Does not wait for the disk: if a crash loses the settled charge, its hold remains, which is at least as large.
create function platform.settle_hold(for_owner text, for_accounts text[], for_hold text, at text, amount numeric)
returns void language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  delete from platform.holds h where h.account = any(for_accounts) and h.hold_id = for_hold and h.owner = for_owner;
  insert into platform.settled_holds (account, position, hold_id, amount_micros)
  select a, at, for_hold, amount from unnest(for_accounts) a
  on conflict do nothing;
end
$$;

create function platform.release_hold(for_owner text, for_accounts text[], for_hold text)
returns void language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  delete from platform.holds h where h.account = any(for_accounts) and h.hold_id = for_hold and h.owner = for_owner;
end
$$;

create function platform.reap_holds(for_accounts text[], for_owner text, head text) returns void language plpgsql as $$
begin
  -- The lock waits for a renewal that came in time but is not committed yet.
  perform from platform.hold_owners o where o.owner = for_owner for update;
  if exists (select from platform.hold_owners o where o.owner = for_owner and o.expires_at > clock_timestamp()) then
    return;
  end if;
  with gone as (
    delete from platform.holds h where h.account = any(for_accounts) and h.owner = for_owner
    returning h.account, h.amount_micros
  )
  insert into platform.settled_holds (account, position, hold_id, amount_micros)
  select gone.account, head, for_owner, sum(gone.amount_micros) from gone group by gone.account
  on conflict (account, position, hold_id)
    do update set amount_micros = platform.settled_holds.amount_micros + excluded.amount_micros;
end
$$;
