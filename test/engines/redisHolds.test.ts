import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Position } from '../../contracts/position.ts'
import { HOLD_LEASE_MS, type HoldTable } from '../../platform/sharedState/holds/port.ts'
import { holdsContract } from '../contract/holds.ts'
import { HOLDS_STATE, openHolds } from '../support/engines/redisHolds.ts'
import { RedisMembers } from '../support/engines/redisMembers.ts'
import { type RedisServer, startRedisServer } from '../support/engines/redisServer.ts'
import { describeWithRedis } from '../support/engines/redisSuite.ts'

const at = (number: number) => String(number).padStart(16, '0') as Position

describeWithRedis('Redis', () => {
  holdsContract('holds in Redis', async () => {
    const server = await startRedisServer()
    const members: RedisMembers[] = []
    return {
      open: async (holdTimes) => {
        const member = new RedisMembers(server.url, undefined, { holdTimes })
        members.push(member)
        const { holds } = await member.gateway()
        await openHolds(server, holds)
        return holds
      },
      close: async () => {
        for (const member of members) await member.close()
        await server.stop()
      },
    }
  })

  describe('when Redis forgets', () => {
    let server: RedisServer
    let members: RedisMembers
    let tables: HoldTable[]
    let companyId: string

    beforeEach(async () => {
      companyId = randomUUID()
    })
    afterEach(async () => {
      await members.close()
      await server.stop()
    })

    async function begin(isDurable: boolean): Promise<void> {
      server = await startRedisServer({ isDurable })
      members = new RedisMembers(server.url)
      tables = (await members.gateways(2)).map(({ holds }) => holds)
      for (const table of tables) await openHolds(server, table)
    }
    const table = (n: number): HoldTable => {
      const found = tables[n]
      if (!found) throw new Error(`there is no gateway ${n}`)
      return found
    }
    const request = (owner: string, holdId: string, amountMicros: bigint, position = at(10)) => ({
      ...{ owner, companyId, holdId, amountMicros, balanceMicros: 100n, position },
    })
    const closed = { outcome: 'closed', opensInMs: expect.any(Number) }

    test('after a restart without data no call is admitted until the holds are back and the end of the ledger is known', async () => {
      await begin(false)
      await table(0).enter('a')
      await table(0).place(request('a', 'one', 80n))
      await server.kill()
      await members.untilAll('degraded')
      await expect(table(1).place(request('b', 'two', 80n))).rejects.toThrowError('Redis is unavailable')
      await server.start()
      await members.untilAll('healthy')
      // The lease of the first is gone with all else, and it knows so.
      expect(await table(0).renew('a')).toBe(false)
      await table(1).enter('b')
      expect(await table(1).place(request('b', 'two', 1n))).toEqual(closed)
      await table(0).enter('a2')
      const back = { ...request('a2', 'one', 80n), isBroughtBack: true }
      expect(await table(0).place(back)).toEqual({ outcome: 'held', lapsed: [] })
      // Too early to know the end of the ledger: a charge may still be on its way.
      await table(1).reopen(at(12))
      await server.send('hset', HOLDS_STATE, 'since', '0')
      expect(await table(1).place(request('b', 'two', 1n))).toEqual({ outcome: 'headNeeded' })
      await table(1).reopen(at(12))
      await table(0).reopen(at(11))
      expect(await table(1).place(request('b', 'two', 21n))).toEqual({ outcome: 'behind', floor: at(12) })
      const refused = { outcome: 'refused', heldMicros: 80n, unseenMicros: 0n, lapsed: [] }
      expect(await table(1).place(request('b', 'two', 21n, at(12)))).toEqual(refused)
      expect(await table(1).place(request('b', 'two', 20n, at(12)))).toEqual({ outcome: 'held', lapsed: [] })
      // That time is over: from now on calls are admitted as usual.
      expect((await table(0).place({ ...request('a2', 'x', 1n, at(12)), isBroughtBack: true })).outcome).toBe('refused')
    })

    test('after a restart with data no call is admitted either, because the last writes may be lost', async () => {
      await begin(true)
      await table(0).enter('a')
      await table(0).place(request('a', 'one', 80n))
      await server.kill()
      await members.untilAll('degraded')
      await server.start()
      await members.untilAll('healthy')
      expect(await table(0).renew('a')).toBe(false)
      await table(1).enter('b')
      expect(await table(1).place(request('b', 'two', 1n))).toEqual(closed)
    })

    test('after its data was wiped no call is admitted', async () => {
      await begin(false)
      await table(0).enter('a')
      await server.send('flushall')
      expect(await table(0).place(request('a', 'one', 1n))).toEqual({ outcome: 'lapsed' })
      await table(0).enter('a2')
      const answer = await table(0).place(request('a2', 'one', 1n))
      expect(answer).toEqual(closed)
      expect(answer.outcome === 'closed' && answer.opensInMs).toBeLessThanOrEqual(HOLD_LEASE_MS)
    })

    test('simultaneous calls share few round trips', async () => {
      await begin(false)
      await table(0).enter('a')
      const journeys = async () =>
        Number(/total_reads_processed:(\d+)/.exec(String(await server.send('info', 'stats')))?.[1])
      const before = await journeys()
      const answers = await Promise.all(Array.from({ length: 300 }, (_, n) => table(0).place(request('a', `${n}`, 1n))))
      expect(answers.filter(({ outcome }) => outcome === 'held')).toHaveLength(100)
      // Without sharing it would be one for each of the 300 calls.
      expect((await journeys()) - before).toBeLessThan(150)
    })
  })
})
