import { readConsumerLags } from '../../capabilities/readModels/consumerLags.ts'
import { type StoppedModels, stoppedModels } from '../../capabilities/readModels/stoppedModels.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Engines } from '../../platform/engines.ts'

type Sources = Pick<Engines, 'database' | 'store'>

/** Throws an error that names the read models whose version differs from this program's. */
export async function requireBuilt(engines: Sources, { KAFKA_BROKERS }: Pick<Config, 'KAFKA_BROKERS'>): Promise<void> {
  const { needRebuild } = await readStopped(engines, KAFKA_BROKERS !== undefined)
  if (needRebuild.length === 0) return
  throw new Error(
    `read models that have to be rebuilt for this version: ${needRebuild.join(', ')}. "npm start" or the projector rebuilds ` +
      'older ones; see "A read model stops" in docs/operators.md',
  )
}

export async function readStopped({ database, store }: Sources, usesKafka: boolean): Promise<StoppedModels> {
  const sources = { database, store, usesKafka }
  return stoppedModels(await readConsumerLags(sources), sources, systemClock.now())
}
