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

/** The keys of one company, in the same order in every script that uses them. */
const COMPANY = `
local owners, settled, ages, floorKey, own = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local KEPT_S = 86400
local function forget(owner, id)
  local amount = redis.call('hget', own, id)
  if not amount then return end
  redis.call('hdel', own, id)
  if redis.call('hincrby', owners, owner, '-' .. amount) == 0 then redis.call('hdel', owners, owner) end
end
local function remember(position, id, amount)
  local entry = position .. ' ' .. id .. ' '
  if #redis.call('zrangebylex', settled, '[' .. entry, '(' .. position .. ' ' .. id .. '!') > 0 then return end
  redis.call('zadd', settled, 0, entry .. amount)
  redis.call('zadd', ages, now, entry .. amount)
  for _, key in ipairs({ settled, ages }) do redis.call('expire', key, KEPT_S) end
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

const PLACE = `${PREAMBLE}${COMPANY}
local owner, id, amount, balance, seen = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]
local leaseMs, keptMs, isBroughtBack = tonumber(ARGV[6]), tonumber(ARGV[7]), ARGV[8] == '1'
if not lives(owner) then return { 'lapsed' } end
local function hold()
  forget(owner, id)
  redis.call('hset', own, id, amount)
  redis.call('hincrby', owners, owner, amount)
  for _, key in ipairs({ own, owners }) do redis.call('expire', key, KEPT_S) end
end

local known = redis.call('hmget', KEYS[6], 'since', 'floor')
local opensIn = known[1] + leaseMs - now
if opensIn > 0 then
  if not isBroughtBack then return { 'closed', opensIn } end
  hold()
  return { 'held' }
end
if not known[2] then return { 'headNeeded' } end

local floor = redis.call('get', floorKey) or ''
local old = redis.call('zrangebyscore', ages, '-inf', now - keptMs, 'limit', 0, 1000)
for _, entry in ipairs(old) do
  local position = string.match(entry, '^%S+')
  if position > floor then floor = position end
  redis.call('zrem', settled, entry)
  redis.call('zrem', ages, entry)
end
if #old > 0 then redis.call('set', floorKey, floor, 'ex', KEPT_S) end
if known[2] > floor then floor = known[2] end
if seen < floor then return { 'behind', floor } end

local held = -(redis.call('hget', own, id) or 0)
local lapsed = {}
local sums = redis.call('hgetall', owners)
for at = 1, #sums, 2 do
  held = held + sums[at + 1]
  if not lives(sums[at]) then lapsed[#lapsed + 1] = sums[at] end
end
local unseen = 0
for _, entry in ipairs(redis.call('zrangebylex', settled, '(' .. seen .. '!', '+')) do
  unseen = unseen + string.match(entry, '%d+$')
end
if balance - held - unseen < tonumber(amount) then
  return { 'refused', string.format('%.0f', held), string.format('%.0f', unseen), unpack(lapsed) }
end
hold()
return { 'held', unpack(lapsed) }
`

const SETTLE = `${PREAMBLE}${COMPANY}
forget(ARGV[1], ARGV[2])
remember(ARGV[3], ARGV[2], ARGV[4])
return 1
`

const RELEASE = `${PREAMBLE}${COMPANY}
forget(ARGV[1], ARGV[2])
return 1
`

const REAP = `${PREAMBLE}${COMPANY}
local owner, head = ARGV[1], ARGV[2]
if lives(owner) then return 0 end
local amount = redis.call('hget', owners, owner)
if not amount then return 0 end
redis.call('del', own)
redis.call('hdel', owners, owner)
remember(head, owner, amount)
return 1
`

/** Takes effect once, and only when living gateways have had the length of a lease to restore their holds. */
const REOPEN = `${PREAMBLE}
local known = redis.call('hmget', KEYS[1], 'run', 'since')
if known[1] == run and now - known[2] >= tonumber(ARGV[2]) then redis.call('hsetnx', KEYS[1], 'floor', ARGV[1]) end
return 1
`

type CompanyKeys = [owners: string, settled: string, ages: string, floor: string, own: string]

declare module 'ioredis' {
  interface RedisCommander<Context> {
    tollgateHoldEnter(state: string, owner: string, leaseMs: number): Result<number, Context>
    tollgateHoldRenew(owner: string, leaseMs: number): Result<number, Context>
    tollgateHoldPlace(
      ...args: [
        ...CompanyKeys,
        state: string,
        owner: string,
        id: string,
        amount: string,
        balance: string,
        seen: string,
        leaseMs: number,
        keptMs: number,
        isBroughtBack: 0 | 1,
      ]
    ): Result<[string, ...(string | number)[]], Context>
    tollgateHoldSettle(
      ...args: [...CompanyKeys, owner: string, id: string, position: string, amount: string]
    ): Result<number, Context>
    tollgateHoldRelease(...args: [...CompanyKeys, owner: string, id: string]): Result<number, Context>
    tollgateHoldReap(...args: [...CompanyKeys, owner: string, head: string]): Result<number, Context>
    tollgateHoldReopen(state: string, head: string, leaseMs: number): Result<number, Context>
  }
}

/** Positions belong to one event store, so its id is part of every key whose value contains positions. */
export function stateKey(storeId: string): string {
  return `${KEY_PREFIX}:holds:${storeId}:state`
}

export function companyKeys(storeId: string, companyId: string, owner: string): CompanyKeys {
  const prefix = `${KEY_PREFIX}:holds:${storeId}:company:${companyId}`
  return [`${prefix}:owners`, `${prefix}:settled`, `${prefix}:ages`, `${prefix}:floor`, `${prefix}:of:${owner}`]
}

export function defineHoldScripts(client: Redis): void {
  client.defineCommand('tollgateHoldEnter', { numberOfKeys: 1, lua: ENTER })
  client.defineCommand('tollgateHoldRenew', { numberOfKeys: 0, lua: RENEW })
  client.defineCommand('tollgateHoldPlace', { numberOfKeys: 6, lua: PLACE })
  client.defineCommand('tollgateHoldSettle', { numberOfKeys: 5, lua: SETTLE })
  client.defineCommand('tollgateHoldRelease', { numberOfKeys: 5, lua: RELEASE })
  client.defineCommand('tollgateHoldReap', { numberOfKeys: 5, lua: REAP })
  client.defineCommand('tollgateHoldReopen', { numberOfKeys: 1, lua: REOPEN })
}
