import type { Redis, Result } from 'ioredis'
import { KEY_PREFIX } from './connection.ts'

/**
 * The beginning of every script. `run` identifies this run of the server. The data of an earlier run may be lost, or,
 * after a snapshot or on a promoted replica, incomplete. So a new run admits nothing for the time of a lease, in which
 * living gateways restore their holds. Then it requires the head of the ledger: everything that was charged under holds
 * that were not restored lies before it.
 *
 * Amounts are integers below 2^53, which Lua adds exactly. Positions are digit strings of one width, or empty.
 */
const PREAMBLE = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local run = string.match(redis.call('info', 'server'), 'run_id:(%w+)') or 'unknown'
local function lives(owner) return redis.call('get', '${KEY_PREFIX}:holds:owner:' .. owner) == run end
`

/** The keys of the accounts of a call come first in every script: five of each, in this order. */
const KEYS_OF_ACCOUNT = 5
const ACCOUNTS = `
local KEPT_S = 86400
local accounts = {}
for at = 0, #KEYS - ${KEYS_OF_ACCOUNT}, ${KEYS_OF_ACCOUNT} do
  accounts[#accounts + 1] =
    { owners = KEYS[at + 1], settled = KEYS[at + 2], ages = KEYS[at + 3], floor = KEYS[at + 4], own = KEYS[at + 5] }
end
local function forget(account, owner, id)
  local amount = redis.call('hget', account.own, id)
  if not amount then return end
  redis.call('hdel', account.own, id)
  if redis.call('hincrby', account.owners, owner, '-' .. amount) == 0 then redis.call('hdel', account.owners, owner) end
end
local function remember(account, position, id, amount)
  local entry = position .. ' ' .. id .. ' '
  if #redis.call('zrangebylex', account.settled, '[' .. entry, '(' .. position .. ' ' .. id .. '!') > 0 then return end
  redis.call('zadd', account.settled, 0, entry .. amount)
  redis.call('zadd', account.ages, now, entry .. amount)
  for _, key in ipairs({ account.settled, account.ages }) do redis.call('expire', key, KEPT_S) end
end
`

const ENTER = `${PREAMBLE}
if redis.call('hget', KEYS[1], 'run') ~= run then
  redis.call('del', KEYS[1])
  redis.call('hset', KEYS[1], 'run', run, 'since', now)
end
redis.call('set', '${KEY_PREFIX}:holds:owner:' .. ARGV[1], run, 'px', ARGV[2])
return 1
`

const RENEW = `${PREAMBLE}
if not lives(ARGV[1]) then return 0 end
redis.call('pexpire', '${KEY_PREFIX}:holds:owner:' .. ARGV[1], ARGV[2])
return 1
`

/** After the settings come the balances, one for each account. */
const BALANCES_FROM = 8
const PLACE = `${PREAMBLE}${ACCOUNTS}
local owner, id, amount, seen = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local leaseMs, keptMs, isBroughtBack = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7] == '1'
if not lives(owner) then return { 'lapsed' } end
local function hold()
  for _, account in ipairs(accounts) do
    forget(account, owner, id)
    redis.call('hset', account.own, id, amount)
    redis.call('hincrby', account.owners, owner, amount)
    for _, key in ipairs({ account.own, account.owners }) do redis.call('expire', key, KEPT_S) end
  end
end

local known = redis.call('hmget', KEYS[#KEYS], 'since', 'floor')
local opensIn = known[1] + leaseMs - now
if opensIn > 0 then
  if not isBroughtBack then return { 'closed', opensIn } end
  hold()
  return { 'held' }
end
if not known[2] then return { 'headNeeded' } end

local highest = known[2]
for _, account in ipairs(accounts) do
  local floor = redis.call('get', account.floor) or ''
  local old = redis.call('zrangebyscore', account.ages, '-inf', now - keptMs, 'limit', 0, 1000)
  for _, entry in ipairs(old) do
    local position = string.match(entry, '^%S+')
    if position > floor then floor = position end
    redis.call('zrem', account.settled, entry)
    redis.call('zrem', account.ages, entry)
  end
  if #old > 0 then redis.call('set', account.floor, floor, 'ex', KEPT_S) end
  if floor > highest then highest = floor end
end
if seen < highest then return { 'behind', highest } end

local lapsed, isNamed = {}, {}
for n, account in ipairs(accounts) do
  local held = -(redis.call('hget', account.own, id) or 0)
  local sums = redis.call('hgetall', account.owners)
  for at = 1, #sums, 2 do
    held = held + sums[at + 1]
    if not isNamed[sums[at]] and not lives(sums[at]) then
      isNamed[sums[at]] = true
      lapsed[#lapsed + 1] = sums[at]
    end
  end
  local unseen = 0
  for _, entry in ipairs(redis.call('zrangebylex', account.settled, '(' .. seen .. '!', '+')) do
    unseen = unseen + string.match(entry, '%d+$')
  end
  if ARGV[${BALANCES_FROM - 1} + n] - held - unseen < tonumber(amount) then
    return { 'refused', n, string.format('%.0f', held), string.format('%.0f', unseen), unpack(lapsed) }
  end
end
hold()
return { 'held', unpack(lapsed) }
`

const SETTLE = `${PREAMBLE}${ACCOUNTS}
for _, account in ipairs(accounts) do
  forget(account, ARGV[1], ARGV[2])
  remember(account, ARGV[3], ARGV[2], ARGV[4])
end
return 1
`

const RELEASE = `${PREAMBLE}${ACCOUNTS}
for _, account in ipairs(accounts) do forget(account, ARGV[1], ARGV[2]) end
return 1
`

const REAP = `${PREAMBLE}${ACCOUNTS}
local owner, head = ARGV[1], ARGV[2]
if lives(owner) then return 0 end
for _, account in ipairs(accounts) do
  local amount = redis.call('hget', account.owners, owner)
  if amount then
    redis.call('del', account.own)
    redis.call('hdel', account.owners, owner)
    remember(account, head, owner, amount)
  end
end
return 1
`

/** Takes effect once, and only when living gateways have had the length of a lease to restore their holds. */
const REOPEN = `${PREAMBLE}
local known = redis.call('hmget', KEYS[1], 'run', 'since')
if known[1] == run and now - known[2] >= tonumber(ARGV[2]) then redis.call('hsetnx', KEYS[1], 'floor', ARGV[1]) end
return 1
`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tollgateHoldEnter(state: string, owner: string, leaseMs: number): Result<number, Context>
    tollgateHoldRenew(owner: string, leaseMs: number): Result<number, Context>
    /** The number of keys, the keys of the accounts, and then what the script says. */
    tollgateHoldPlace(keys: number, ...rest: (string | number)[]): Result<[string, ...(string | number)[]], Context>
    tollgateHoldSettle(keys: number, ...rest: string[]): Result<number, Context>
    tollgateHoldRelease(keys: number, ...rest: string[]): Result<number, Context>
    tollgateHoldReap(keys: number, ...rest: string[]): Result<number, Context>
    tollgateHoldReopen(state: string, head: string, leaseMs: number): Result<number, Context>
  }
}

/** Positions belong to one event store, so its id is part of every key whose value contains positions. */
export function stateKey(storeId: string): string {
  return `${KEY_PREFIX}:holds:${storeId}:state`
}

/** The word company is older than budgets, and gateways of the version before use the same keys. */
export function accountKeys(storeId: string, accounts: readonly string[], owner: string): string[] {
  return accounts.flatMap((account) => {
    const prefix = `${KEY_PREFIX}:holds:${storeId}:company:${account}`
    return [`${prefix}:owners`, `${prefix}:settled`, `${prefix}:ages`, `${prefix}:floor`, `${prefix}:of:${owner}`]
  })
}

export function defineHoldScripts(client: Redis): void {
  client.defineCommand('tollgateHoldEnter', { numberOfKeys: 1, lua: ENTER })
  client.defineCommand('tollgateHoldRenew', { numberOfKeys: 0, lua: RENEW })
  client.defineCommand('tollgateHoldPlace', { lua: PLACE })
  client.defineCommand('tollgateHoldSettle', { lua: SETTLE })
  client.defineCommand('tollgateHoldRelease', { lua: RELEASE })
  client.defineCommand('tollgateHoldReap', { lua: REAP })
  client.defineCommand('tollgateHoldReopen', { numberOfKeys: 1, lua: REOPEN })
}
