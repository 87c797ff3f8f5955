import { setTimeout as wait } from 'node:timers/promises'
import type { LedgerWriter } from '../../../capabilities/ledger/ledgerWriter.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import type { HoldTable } from '../../../platform/sharedState/holds/port.ts'
import type { Feed } from '../../../projections/runner/ports.ts'
import { startGateway } from '../../../services/gateway/startGateway.ts'
import type { GatewayHarness } from './gatewayHarness.ts'

export type SecondGatewayOptions = {
  readonly holds: HoldTable
  /** The lag of its view of the ledger. */
  readonly lagMs?: number
  readonly ledger?: LedgerWriter
}

export type SecondGateway = { readonly url: string; drain(timeoutMs?: number): Promise<void> }

/** Another gateway on a harness's engines. It knows everything written before its start. */
export async function startSecondGateway(
  { runtime, providerTable }: GatewayHarness,
  { holds, lagMs = 0, ledger = runtime.engines.ledger }: SecondGatewayOptions,
): Promise<SecondGateway> {
  const { engines } = runtime
  const sharedState = { ...engines.sharedState, holds }
  const feed = lagMs === 0 ? engines.feed : lagging(engines.feed, lagMs)
  const own = { ...runtime, metrics: createMetrics(), engines: { ...engines, sharedState, feed, ledger } }
  const gateway = await startGateway(own, providerTable)
  return { url: gateway.url ?? '', drain: (timeoutMs = 1_000) => gateway.drain(timeoutMs) }
}

function lagging(feed: Feed, lagMs: number): Feed {
  return {
    idsAreUnique: feed.idsAreUnique,
    partitionsOf: (categories) => feed.partitionsOf(categories),
    partitionOf: (stream) => feed.partitionOf(stream),
    subscribe: async function* (subscription) {
      for await (const batch of feed.subscribe(subscription)) {
        await wait(lagMs)
        yield batch
      }
    },
  }
}
