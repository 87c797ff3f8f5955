import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Position } from '../../contracts/position.ts'
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
