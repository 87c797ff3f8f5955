import type { Runtime } from '../../capabilities/installation.ts'
import { streamName } from '../../contracts/streams.ts'
import { apiKeyDecider } from '../../domain/apiKey/decider.ts'
import { isoTime } from '../../platform/clock/clock.ts'
import { keysToExpire } from '../../projections/apiKeys/queries.ts'

const KEYS_PER_ROUND = 100

/**
 * Records that keys have expired. The gateways refuse an expired key by their own clocks; the event makes the expiry
 * visible everywhere else. The command id derives from the key, so two reactors record it once.
 */
export async function expireKeys({ engines, clock, log }: Pick<Runtime, 'engines' | 'clock' | 'log'>): Promise<number> {
  const at = isoTime(clock.now())
  const due = await keysToExpire(engines.database, at, KEYS_PER_ROUND)
  for (const { keyId } of due) {
    await engines.commands.handle(
      apiKeyDecider,
      streamName('apiKey', keyId),
      { type: 'ExpireApiKey', keyId, at },
      { commandId: `expire:${keyId}`, correlationId: `expire:${keyId}`, actor: { kind: 'system', name: 'reactor' } },
    )
    log.info({ keyId }, 'API key expired')
  }
  return due.length
}
