import { createMetrics } from '../../../platform/metrics/metrics.ts'
import type { Feed } from '../../../projections/runner/ports.ts'
import { startGateway } from '../../../services/gateway/startGateway.ts'
import type { GatewayHarness } from './gatewayHarness.ts'

export type HeldViews = {
  readonly url: string
  /** Withholds events from the gateway's views until they are released. */
  hold(): void
  release(): void
  /** How many reads of the store's head and of shared state requests have caused. */
  readonly reads: { heads: number; changes: number }
  drain(): Promise<void>
}

/** Another gateway on a harness's engines, whose views a test can delay. */
export async function startHeldViews({ runtime, providerTable }: GatewayHarness): Promise<HeldViews> {
  const { engines } = runtime
  let released = Promise.resolve()
  let release = () => {}
  const held = async function* <Batch>(batches: AsyncIterable<Batch>): AsyncIterable<Batch> {
    for await (const batch of batches) {
      await released
      yield batch
    }
  }
  const reads = { heads: 0, changes: 0 }
  const store = new Proxy(engines.store, {
    get: (target, name) => {
      if (name === 'subscribe') return (options: never) => held(target.subscribe(options))
      if (name === 'head') {
        return () => {
          reads.heads++
          return target.head()
        }
      }
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const feed: Feed = { ...engines.feed, subscribe: (subscription) => held(engines.feed.subscribe(subscription)) }
  const { companyChanges } = engines.sharedState
  const sharedState = {
    ...engines.sharedState,
    companyChanges: {
      record: companyChanges.record.bind(companyChanges),
      read: (companyId: string) => {
        reads.changes++
        return companyChanges.read(companyId)
      },
    },
  }
  const own = { ...runtime, metrics: createMetrics(), engines: { ...engines, store, feed, sharedState } }
  const gateway = await startGateway(own, providerTable)
  return {
    url: gateway.url ?? '',
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      released = promise
      release = resolve
    },
    release: () => release(),
    reads,
    drain: async () => {
      release()
      await gateway.drain(1_000)
    },
  }
}
