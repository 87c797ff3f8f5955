import { expect, test } from 'vitest'
import type { Position } from '../../../contracts/position.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { observeViewLag } from './viewLag.ts'

const at = (position: string) => position as Position

test('each view reports its lag behind the store, by partition', async () => {
  const metrics = createMetrics()
  const reached = { ledger: { 'ledger-0': at('3'), 'ledger-1': at('10') }, apiKey: { all: at('10') } }
  observeViewLag(metrics, { reached: () => reached }, { eventsAfter: async (position) => 10 - Number(position) })
  const text = await metrics.metrics()
  expect(text).toContain('tollgate_gateway_view_lag_events{category="ledger",partition="ledger-0"} 7')
  expect(text).toContain('tollgate_gateway_view_lag_events{category="ledger",partition="ledger-1"} 0')
  expect(text).toContain('tollgate_gateway_view_lag_events{category="apiKey",partition="all"} 0')
})

test('while the store is unavailable the lag has no value, and other metrics are reported', async () => {
  const metrics = createMetrics()
  let isAway = false
  const eventsAfter = async () => {
    if (isAway) throw new Error('the store is away')
    return 5
  }
  observeViewLag(metrics, { reached: () => ({ ledger: { all: at('3') } }) }, { eventsAfter })
  expect(await metrics.metrics()).toContain('{category="ledger",partition="all"} 5')
  isAway = true
  expect(await metrics.metrics()).not.toContain('{category="ledger"')
})
