import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Position } from '../../contracts/position.ts'
import { CHANGE_KEPT_MS } from '../../platform/sharedState/companyChanges/port.ts'
import { companyChangesContract } from '../contract/companyChanges.ts'
import { RedisMembers } from '../support/engines/redisMembers.ts'
import { startRedisServer } from '../support/engines/redisServer.ts'
import { describeWithRedis } from '../support/engines/redisSuite.ts'

describeWithRedis('Redis', () => {
  companyChangesContract('changes of companies in Redis', async () => {
    const server = await startRedisServer()
    const members = new RedisMembers(server.url)
    return {
      open: async () => (await members.other()).companyChanges,
      close: async () => {
        await members.close()
        await server.stop()
      },
    }
  })

  test('are kept for ten minutes after the last change of the company', async () => {
    const server = await startRedisServer()
    const members = new RedisMembers(server.url)
    const { companyChanges } = await members.other()
    const companyId = randomUUID()
    await companyChanges.record(companyId, 'ledger', '1' as Position)
    const [key] = (await server.send('keys', `*${companyId}`)) as string[]
    const keptMs = Number(await server.send('pttl', String(key)))
    expect(keptMs).toBeGreaterThan(CHANGE_KEPT_MS / 2)
    expect(keptMs).toBeLessThanOrEqual(CHANGE_KEPT_MS)
    await members.close()
    await server.stop()
  })

  test('a server that is away makes reading and recording fail, so that nothing waits for it', async () => {
    const server = await startRedisServer()
    const members = new RedisMembers(server.url)
    const { companyChanges } = await members.gateway()
    await server.stop()
    await members.untilAll('degraded')
    await expect(companyChanges.read(randomUUID())).rejects.toThrow()
    await expect(companyChanges.record(randomUUID(), 'ledger', '1' as Position)).rejects.toThrow()
    await members.close()
  })
})
