import { CATEGORIES, type Category } from '../../../contracts/streams.ts'
import type { SubscribeOptions } from '../../../platform/eventStore/port.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import type { Feed } from '../../../projections/runner/ports.ts'
import { startGateway } from '../../../services/gateway/startGateway.ts'
import type { GatewayHarness } from './gatewayHarness.ts'

export type HeldViews = {
  readonly url: string
  /** Withholds events from the gateway's views until they are released: from all of them, or from those of one category. */
  hold(category?: Category): void
  release(): void
  /** The last batch of events that the views of a category have applied. */
  passed(category: Category): unknown
  /** How many reads of the store's head and of shared state requests have caused. */
  readonly reads: { heads: number; changes: number }
  drain(): Promise<void>
}

/** Another gateway on a harness's engines, whose views a test can delay. */
export async function startHeldViews({ runtime, providerTable }: GatewayHarness): Promise<HeldViews> {
  const { engines } = runtime
  let released = Promise.resolve()
  let release = () => {}
  let heldCategory: Category | undefined
  const passed = new Map<string, unknown>()
  const held = async function* <Batch>(
    categories: readonly string[],
    batches: AsyncIterable<Batch>,
  ): AsyncIterable<Batch> {
    for await (const batch of batches) {
      if (heldCategory === undefined || categories.includes(heldCategory)) await released
      yield batch
      for (const category of categories) passed.set(category, batch)
    }
  }
  const reads = { heads: 0, changes: 0 }
  const store = new Proxy(engines.store, {
    get: (target, name) => {
      if (name === 'subscribe') {
        return (options: SubscribeOptions<Category>) =>
          held(options.categories ?? CATEGORIES, target.subscribe(options))
      }
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
  const feed: Feed = {
    ...engines.feed,
    subscribe: (subscription) => held(subscription.categories, engines.feed.subscribe(subscription)),
  }
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
    hold: (category) => {
      heldCategory = category
      const { promise, resolve } = Promise.withResolvers<void>()
      released = promise
      release = resolve
    },
    release: () => release(),
    passed: (category) => passed.get(category),
    reads,
    drain: async () => {
      release()
      await gateway.drain(1_000)
    },
  }
}
