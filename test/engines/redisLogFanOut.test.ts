import { afterEach, beforeEach, expect, test } from 'vitest'
import type { LogEntry } from '../../platform/sharedState/logEntry.ts'
import type { SharedState } from '../../platform/sharedState/port.ts'
import { logFanOutContract } from '../contract/logFanOut.ts'
import { RedisMembers } from '../support/engines/redisMembers.ts'
import { type RedisServer, startRedisServer } from '../support/engines/redisServer.ts'
import { describeWithRedis } from '../support/engines/redisSuite.ts'
import { until } from '../support/time/until.ts'

describeWithRedis('Redis', () => {
  logFanOutContract('the fan-out over Redis', async () => {
    const server = await startRedisServer()
    const members = new RedisMembers(server.url)
    return {
      open: async () => (await members.other()).logFanOut,
      close: async () => {
        await members.close()
        await server.stop()
      },
    }
  })

  const entryOf = (message: string): LogEntry => ({ timestamp: '', level: 'info', message, context: {}, service: 'ai' })

  let server: RedisServer
  let members: RedisMembers
  let here: SharedState
  let there: SharedState

  beforeEach(async () => {
    server = await startRedisServer()
    members = new RedisMembers(server.url)
    here = await members.other()
    there = await members.other()
  })
  afterEach(async () => {
    await members.close()
    await server.stop()
  })

  test('a reader stays subscribed when Redis restarts, and learns how many entries it missed', async () => {
    const subscription = here.logFanOut.subscribe()
    await until('the other knows', () => there.logFanOut.hasReaders)
    there.logFanOut.publish(entryOf('before'))
    expect(await subscription.next()).toMatchObject({ value: { entry: { message: 'before' }, lostBefore: 0 } })
    await server.kill()
    await members.untilAll('degraded')
    for (let n = 0; n < 5; n++) there.logFanOut.publish(entryOf('into the void'))
    await server.start()
    await members.untilAll('healthy')
    const publishing = setInterval(() => there.logFanOut.publish(entryOf('after')), 50)
    const { value } = await subscription.next()
    clearInterval(publishing)
    expect(value.entry.message).toBe('after')
    expect(value.lostBefore).toBeGreaterThanOrEqual(5)
  })

  test('readers get entries of their own process while Redis is down', async () => {
    const subscription = here.logFanOut.subscribe()
    await server.kill()
    await members.untilAll('degraded')
    here.logFanOut.publish(entryOf('at home'))
    expect(await subscription.next()).toMatchObject({ value: { entry: { message: 'at home' }, lostBefore: 0 } })
  })

  test('entries beyond the send limit are dropped, and the reader learns how many', async () => {
    const subscription = here.logFanOut.subscribe()
    await until('the other knows', () => there.logFanOut.hasReaders)
    const inAll = 5_000
    for (let n = 1; n <= inAll; n++) there.logFanOut.publish(entryOf(String(n)))
    // The last entry that fitted, then one whose gap counts all dropped ones.
    let seen = 0
    for (let last = ''; last !== '1000'; seen++) last = (await subscription.next()).value.entry.message
    there.logFanOut.publish(entryOf('one more'))
    const { value } = await subscription.next()
    expect(value).toEqual({ entry: entryOf('one more'), lostBefore: inAll - 1_000 })
    expect(seen).toBe(1_000)
  })

  test('two databases of one Redis server are separate', async () => {
    const neighbours = new RedisMembers(`${server.url}/1`)
    const neighbour = await neighbours.other()
    const subscription = here.logFanOut.subscribe()
    await until('the other process knows', () => there.logFanOut.hasReaders)
    expect(neighbour.logFanOut.hasReaders).toBe(false)
    subscription.close()
    await neighbours.close()
  })

  test('messages of another program on the channel are ignored', async () => {
    const subscription = here.logFanOut.subscribe()
    await until('the other knows', () => there.logFanOut.hasReaders)
    await server.send('publish', 'tollgate:log:0', 'no JSON')
    await server.send('publish', 'tollgate:log:0', '{"from":1}')
    there.logFanOut.publish(entryOf('ours'))
    expect(await subscription.next()).toMatchObject({ value: { entry: { message: 'ours' }, lostBefore: 0 } })
  })
})
