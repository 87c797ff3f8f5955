import { randomUUID } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { RateLimits, SharedState } from '../../platform/sharedState/port.ts'
import { connect, SHARED_STATE_ANSWER_MS } from '../../platform/sharedState/redis/connection.ts'
import { RedisRateLimits } from '../../platform/sharedState/redis/redisRateLimits.ts'
import { rateLimitsContract } from '../contract/rateLimits.ts'
import { startMutingProxy } from '../support/callers/mutingProxy.ts'
import { RedisMembers } from '../support/engines/redisMembers.ts'
import { type RedisServer, startRedisServer } from '../support/engines/redisServer.ts'
import { describeWithRedis } from '../support/engines/redisSuite.ts'
import { type SteppedClock, steppedClock } from '../support/time/steppedClock.ts'
import { until } from '../support/time/until.ts'

describeWithRedis('Redis', () => {
  rateLimitsContract('counters in Redis', async () => {
    const server = await startRedisServer()
    const members: RedisMembers[] = []
    return {
      open: async (clock) => {
        const member = new RedisMembers(server.url, clock)
        members.push(member)
        return (await member.gateway()).rateLimits
      },
      close: async () => {
        for (const member of members) await member.close()
        await server.stop()
      },
    }
  })

  const START_MS = Date.UTC(2026, 2, 1, 12, 30)
  const MINUTE_MS = 60_000

  describe('when Redis goes away', () => {
    let server: RedisServer
    let clock: SteppedClock
    let members: RedisMembers
    let gateways: SharedState[]
    let bucket: string

    const limitsOf = (n: number): RateLimits => {
      const gateway = gateways[n]
      if (!gateway) throw new Error(`there is no gateway ${n}`)
      return gateway.rateLimits
    }
    const untilCounted = (used: number) =>
      until(`all agree on ${used}`, async () => {
        const windows = await Promise.all(gateways.map(({ rateLimits }) => rateLimits.read(bucket)))
        return windows.every((window) => window.used === used)
      })

    beforeEach(async () => {
      server = await startRedisServer()
      clock = steppedClock(START_MS)
      members = new RedisMembers(server.url, clock)
      gateways = await members.gateways(3)
      bucket = `rpm:${randomUUID()}`
    })
    afterEach(async () => {
      await members.close()
      await server.stop()
    })

    test('each gateway allows its share of the limit, minute by minute, and reports it in its health', async () => {
      await server.kill()
      await members.untilAll('degraded')
      for (let minute = 0; minute < 2; minute++) {
        for (const { rateLimits } of gateways) expect(await admitted(rateLimits, bucket, 60)).toBe(20)
        clock.advance(MINUTE_MS)
      }
      expect(gateways[0]?.health()).toEqual({ status: 'degraded', gateways: 3, latency_ms: null })
    })

    test('what was used in the current minute still counts', async () => {
      for (let n = 0; n < 30; n++) await limitsOf(n % 3).add(bucket, 1)
      for (const { rateLimits } of gateways) await rateLimits.read(bucket)
      await server.kill()
      await members.untilAll('degraded')
      for (const { rateLimits } of gateways) expect(await admitted(rateLimits, bucket, 60)).toBe(10)
    })

    test('the remaining amount is reported exactly, down to zero', async () => {
      await server.kill()
      await members.untilAll('degraded')
      expect(await limitsOf(0).read(bucket)).toEqual({ used: 0, resetAtMs: START_MS + MINUTE_MS })
      await limitsOf(0).add(bucket, 1)
      expect((await limitsOf(0).add(bucket, 1)).used).toBe(6)
      expect((await limitsOf(0).read(bucket)).used).toBe(6)
      expect((await limitsOf(1).read(bucket)).used).toBe(0)
    })

    test('gateways join again on their own, and the minute holds the sum of all their counts', async () => {
      for (let n = 0; n < 12; n++) await limitsOf(n % 3).add(bucket, 1)
      await server.kill()
      await members.untilAll('degraded')
      for (const { rateLimits } of gateways) for (let n = 0; n < 5; n++) await rateLimits.add(bucket, 1)
      await server.start()
      await members.untilAll('healthy')
      await untilCounted(12 + 15)
      await until('they know of each other', () => gateways.every((one) => one.health().gateways === 3))
      expect((await limitsOf(0).add(bucket, 1)).used).toBe(28)
    })

    test('a call is answered although the server has just died', async () => {
      const adding = Array.from({ length: 50 }, () => limitsOf(0).add(bucket, 1))
      const [answers] = await Promise.all([Promise.all(adding), server.kill()])
      expect(answers).toHaveLength(50)
      await members.untilAll('degraded')
      expect(await admitted(limitsOf(0), bucket, 300)).toBeLessThanOrEqual(100 - 50 / 3)
    })

    test('simultaneous calls share a round trip to the server', async () => {
      const journeys = async () =>
        Number(/total_reads_processed:(\d+)/.exec(String(await server.send('info', 'stats')))?.[1])
      const before = await journeys()
      await Promise.all(Array.from({ length: 500 }, (_, n) => limitsOf(0)[n % 2 ? 'read' : 'add'](`${bucket}${n}`, 1)))
      // Without sharing it would be one for each of the 500 calls.
      expect((await journeys()) - before).toBeLessThan(150)
    })

    test('a server whose data was wiped gets the counts again', async () => {
      for (let n = 0; n < 9; n++) await limitsOf(n % 3).add(bucket, 2)
      await server.send('flushall')
      await untilCounted(18)
    })
  })

  describe('when Redis is there but does not answer', () => {
    let server: RedisServer
    let members: RedisMembers
    let gateway: SharedState
    let other: SharedState
    const bucket = () => `rpm:${randomUUID()}`

    beforeEach(async () => {
      server = await startRedisServer()
      members = new RedisMembers(server.url, steppedClock(START_MS), { isPatient: false })
      const [one, two] = await members.gateways(2)
      if (!one || !two) throw new Error('there are not two')
      gateway = one
      other = two
    })
    afterEach(async () => {
      server.thaw()
      await members.close()
      await server.stop()
    })

    const pauses: [string, () => Promise<void>, () => Promise<void>][] = [
      ['its process is stopped', async () => server.freeze(), async () => server.thaw()],
      [
        'it is paused',
        async () => void (await server.send('client', 'pause', '3000', 'all')),
        // It ends by itself: a paused server does not even take the command to go on.
        async () => {},
      ],
    ]

    test.each(pauses)(
      'because %s, calls are limited locally and counted once when it answers again',
      async (_, pause, goOn) => {
        const name = bucket()
        expect((await gateway.rateLimits.add(name, 1)).used).toBe(1)
        await pause()
        // The first meets the silence and waits for its deadline, the later ones do not even ask.
        for (let n = 0; n < 20; n++) await gateway.rateLimits.add(name, 1)
        expect(gateway.health()).toEqual({ status: 'degraded', gateways: 2, latency_ms: null })
        expect((await gateway.rateLimits.read(name)).used).toBe(1 + 2 * 20)
        await goOn()
        await members.untilAll('healthy')
        await until('the sum is right', async () => (await other.rateLimits.read(name)).used === 21)
        expect((await gateway.rateLimits.add(name, 1)).used).toBe(22)
      },
    )

    test('calls that it counts late stay counted at their gateway, which asks it no more', async () => {
      const client = connect(server.url)
      onTestFinished(() => client.disconnect())
      await client.connect()
      // It stays lost, so that no heartbeat comes between the late answers and the calls after them.
      const presence = {
        isAvailable: true,
        gateways: 3,
        lost: () => {
          presence.isAvailable = false
        },
      }
      const limits = new RedisRateLimits(client, presence, steppedClock(START_MS))
      const name = bucket()
      server.freeze()
      await Promise.all(Array.from({ length: 12 }, () => limits.add(name, 1)))
      expect((await limits.read(name)).used).toBe(3 * 12)
      server.thaw()
      // Answers come in the order of the commands, so those to the calls are here before this one.
      await client.ping()
      expect((await limits.read(name)).used).toBe(12)
      expect(await admitted(limits, name, 60)).toBe((60 - 12) / 3)
    })

    test('because one gateway is cut off, that one exceeds the limit by at most its share', async () => {
      const proxy = await startMutingProxy(Number(new URL(server.url).port))
      onTestFinished(() => proxy.close())
      const behind = new RedisMembers(`redis://127.0.0.1:${proxy.port}`, steppedClock(START_MS), { isPatient: false })
      onTestFinished(() => behind.close())
      const cutOff = await behind.gateway()
      await until('all have seen each other', () =>
        [gateway, other, cutOff].every((one) => one.health().gateways === 3),
      )
      const name = bucket()
      proxy.mute()
      await behind.untilAll('degraded')
      const both = (await admitted(gateway.rateLimits, name, 60)) + (await admitted(other.rateLimits, name, 60))
      expect(both).toBe(60)
      expect(await admitted(cutOff.rateLimits, name, 60)).toBe(60 / 3)
    })

    test('because this process was busy, it is not considered down', async () => {
      const adding = gateway.rateLimits.add(bucket(), 1)
      // The question leaves in this turn of the event loop; its answer comes while the process cannot look.
      await turn()
      await turn()
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * SHARED_STATE_ANSWER_MS)
      expect((await adding).used).toBe(1)
      expect(gateway.health().status).toBe('healthy')
    })

    test('because the network is cut silently, a new connection is opened', async () => {
      const proxy = await startMutingProxy(Number(new URL(server.url).port))
      onTestFinished(() => proxy.close())
      const behind = new RedisMembers(`redis://127.0.0.1:${proxy.port}`, undefined, { isPatient: false })
      onTestFinished(() => behind.close())
      await behind.gateway()
      const connections = proxy.connections
      proxy.mute()
      await behind.untilAll('degraded')
      await until('it has connected again', () => proxy.connections > connections)
      proxy.unmute()
      await behind.untilAll('healthy')
    })
  })

  /** How many requests of a limit a gateway admits. */
  async function admitted(limits: RateLimits, bucket: string, limit: number): Promise<number> {
    for (let count = 0; ; count++) {
      const { used } = await limits.add(bucket, 1)
      if (used > limit) return count
    }
  }
})
