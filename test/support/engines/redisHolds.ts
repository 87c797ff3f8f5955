import { randomUUID } from 'node:crypto'
import { BEGINNING, type Position } from '../../../contracts/position.ts'
import type { HoldTable } from '../../../platform/sharedState/holds/port.ts'
import type { RedisServer } from './redisServer.ts'

export const HOLDS_STATE = 'tollgate:holds:test:state'

/** Skips the time during which a newly started server admits no calls. */
export async function openHolds(server: RedisServer, holds: HoldTable, head: Position = BEGINNING): Promise<void> {
  await holds.enter(randomUUID())
  await server.send('hset', HOLDS_STATE, 'since', '0')
  await holds.reopen(head)
}
