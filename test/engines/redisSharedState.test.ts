import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { RedisMembers } from '../support/engines/redisMembers.ts'
import { type RedisServer, startRedisServer } from '../support/engines/redisServer.ts'
import { describeWithRedis } from '../support/engines/redisSuite.ts'
import { until } from '../support/time/until.ts'

describeWithRedis('Redis', () => {
  describe('the members that share the limits', () => {
    let server: RedisServer
    let members: RedisMembers
    beforeEach(async () => {
      server = await startRedisServer()
      members = new RedisMembers(server.url)
    })
    afterEach(async () => {
      await members.close()
      await server.stop()
    })

    test('are the running gateways and no other process', async () => {
      const gateways = await members.gateways(2)
      const backend = await members.other()
      expect(backend.health()).toEqual({ status: 'healthy', gateways: 2, latency_ms: expect.any(Number) })
      await gateways[1]?.close()
      expect(await server.send('zcard', 'tollgate:gateways')).toBe(1)
      await until('one has left', () => gateways[0]?.health().gateways === 1)
      await until('the backend sees it, too', () => backend.health().gateways === 1)
    })

    test('lose a gateway that died', async () => {
      const gateway = await members.gateway()
      const [seconds] = (await server.send('time')) as string[]
      const lastSeen = (secondsAgo: number) =>
        server.send('zadd', 'tollgate:gateways', String((Number(seconds) - secondsAgo) * 1_000), 'another')
      // Ahead of now, so that it counts for as long as a busy machine takes to see it.
      await lastSeen(-60)
      await until('it counts at first', () => gateway.health().gateways === 2)
      await lastSeen(60)
      await until('it counts no more', () => gateway.health().gateways === 1)
    })
  })

  test('a start without a reachable Redis is degraded, and joins once Redis answers', async () => {
    const server = await startRedisServer()
    onTestFinished(() => server.stop())
    await server.kill()
    const members = new RedisMembers(server.url)
    onTestFinished(() => members.close())
    const gateway = await members.gateway()
    expect(gateway.health()).toEqual({ status: 'degraded', gateways: 1, latency_ms: null })
    expect((await gateway.rateLimits.add('rpm:x', 3)).used).toBe(3)
    await server.start()
    await members.untilAll('healthy')
    const another = await members.gateway()
    await until('the count has come along', async () => (await another.rateLimits.read('rpm:x')).used === 3)
  })

  test('a restart that keeps its data keeps the counts, each once', async () => {
    const server = await startRedisServer({ isDurable: true })
    onTestFinished(() => server.stop())
    const members = new RedisMembers(server.url)
    onTestFinished(() => members.close())
    const gateway = await members.gateway()
    await gateway.rateLimits.add('rpm:x', 3)
    await server.kill()
    await members.untilAll('degraded')
    await gateway.rateLimits.add('rpm:x', 2)
    await server.start()
    await members.untilAll('healthy')
    const another = await members.gateway()
    await until('both are counted', async () => (await another.rateLimits.read('rpm:x')).used === 5)
    expect((await gateway.rateLimits.add('rpm:x', 1)).used).toBe(6)
  })

  test('a Redis that refuses the connection stops the start with the name of the setting', async () => {
    const server = await startRedisServer({ password: 'open-sesame' })
    onTestFinished(() => server.stop())
    const right = new RedisMembers(server.url)
    onTestFinished(() => right.close())
    expect((await right.gateway()).health().status).toBe('healthy')
    for (const wrong of [server.url.replace('open-sesame', 'guess'), server.url.replace(':open-sesame@', '')]) {
      await expect(new RedisMembers(wrong).gateway()).rejects.toThrowError(
        /^REDIS_URL: the server refuses the connection: (WRONGPASS|NOAUTH)/,
      )
    }
    await expect(new RedisMembers(`${server.url}/99`).gateway()).rejects.toThrowError(/^REDIS_URL: .*DB index/)
  })
})
