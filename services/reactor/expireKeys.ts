import { streamName } from '../../contracts/streams.ts'
import { apiKeyDecider } from '../../domain/apiKey/decider.ts'
import { keysToExpire } from '../../projections/apiKeys/queries.ts'
import { isoTime } from '../platform/clock/clock.ts'
import type { Runtime } from '../platform/runtime.ts'

const KEYS_PER_ROUND = 100

/**
 * Puts on record that a key's time is over. The gateways refuse it by their own clocks from that very moment; this makes
 * it visible to everybody else. The command's id derives from the key, so two reactors record it once.
 */
export async function expireKeys({ engines, clock, log }: Pick<Runtime, 'engines' | 'clock' | 'log'>): Promise<number> {
  const at = isoTime(clock.now())
  const due = await keysToExpire(engines.database, at, KEYS_PER_ROUND)
  for (const { key_id: keyId } of due) {
    await engines.commands.handle(
      apiKeyDecider,
      streamName('apiKey', keyId),
      { type: 'ExpireApiKey', keyId, at },
      { commandId: `expire:${keyId}`, correlationId: `expire:${keyId}`, actor: { kind: 'system', name: 'reactor' } },
    )
    log.info({ keyId }, 'a key has expired')
  }
  return due.length
}
