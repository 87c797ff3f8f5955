import { expect, onTestFinished, test } from 'vitest'
import { hardCapContract, lowestBalance } from '../contract/hardCap.ts'
import { HOLDS_STATE, openHolds } from '../support/engines/redisHolds.ts'
import { RedisMembers } from '../support/engines/redisMembers.ts'
import { startRedisServer } from '../support/engines/redisServer.ts'
import { describeWithRedis } from '../support/engines/redisSuite.ts'
import { CHAT, call, chatBody } from '../support/harness/gatewayClient.ts'
import { startGatewayHarness } from '../support/harness/gatewayHarness.ts'
import { type SecondGateway, startSecondGateway } from '../support/harness/secondGateway.ts'
import { completion, whole } from '../support/parties/scriptedProvider.ts'
import { until } from '../support/time/until.ts'

describeWithRedis('Redis', () => {
  hardCapContract('Redis', async () => {
    const server = await startRedisServer()
    const members = new RedisMembers(server.url)
    return {
      open: async () => {
        const { holds } = await members.gateway()
        await openHolds(server, holds)
        return holds
      },
      close: async () => {
        await members.close()
        await server.stop()
      },
    }
  })

  test('a server that dies and comes back empty: calls in flight stay held, no other is admitted too early', async () => {
    const server = await startRedisServer()
    onTestFinished(() => server.stop())
    const members = new RedisMembers(server.url)
    onTestFinished(() => members.close())
    const harness = await startGatewayHarness()
    onTestFinished(() => harness.close())
    const companyId = await harness.registerCompany({ credits: '2' })
    await harness.setHardCap(companyId, true)
    const key = await harness.mintKey(companyId)
    const sisters: SecondGateway[] = []
    for (let n = 0; n < 2; n++) {
      const { holds } = await members.gateway()
      await openHolds(server, holds)
      const second = await startSecondGateway(harness, { holds })
      onTestFinished(() => second.drain())
      sisters.push(second)
    }
    const body = chatBody({ messages: [{ role: 'user', content: 'x'.repeat(1_000) }], max_tokens: 500 })
    const chat = (n: number) => call(sisters[n]?.url ?? '', CHAT, { key: key.raw, body })

    const { promise: answering, resolve: answer } = Promise.withResolvers<void>()
    harness.provider.next(async (response, received) => {
      await answering
      await whole(completion())(response, received)
    })
    const inFlight = chat(0)
    await until('it is held and at the provider', () => harness.provider.calls.length === 1)
    expect((await chat(1)).status).toBe(402)
    await server.kill()
    await until('nothing is admitted', async () => (await chat(1)).status === 503)
    await server.start()
    await members.untilAll('healthy')
    const early = await until('the server is new', async () => {
      const refused = await chat(1)
      return Number(refused.headers['retry-after']) > 1 && refused
    })
    expect(early.status).toBe(503)
    await until('the hold is back', async () => {
      const keys = (await server.send('keys', `tollgate:holds:test:company:${companyId}:owners`)) as string[]
      return keys.length === 1
    })
    // Skips the waiting time.
    await server.send('hset', HOLDS_STATE, 'since', '0')
    const refused = await chat(1)
    expect(refused.status).toBe(402)
    expect(refused.json.error.message).toMatch(/calls in flight hold/)
    answer()
    expect((await inFlight).status).toBe(200)
    expect((await chat(0)).status).toBe(402)
    expect((await chat(1)).status).toBe(402)
    expect(lowestBalance(await harness.ledgerOf(companyId))).toBe(0)
  })
})
