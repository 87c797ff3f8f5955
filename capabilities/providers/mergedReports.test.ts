import { expect, test } from 'vitest'
import type { GatewayReport, ReportedProvider, ReportedRoute } from './gatewayReports.ts'
import { mergedReports } from './mergedReports.ts'

const route = (changes: Partial<ReportedRoute> = {}): ReportedRoute => ({
  ...{ alias: 'acme/fast', strategy: 'order', contextLength: null, maxOutputTokens: 4_096, wires: ['chat'] },
  providers: [{ name: 'first', weight: 1 }],
  ...changes,
})
const figures = (changes: Partial<ReportedProvider> = {}): ReportedProvider => ({
  ...{ provider: 'first', breaker: 'closed', answers: 0, errors: 0, firstByteMs: null },
  ...changes,
})
const report = (routes: ReportedRoute[], ...providers: ReportedProvider[]): GatewayReport => ({ routes, providers })

test('figures of all gateways are added up, and the worst state of a breaker is shown', () => {
  const [model] = mergedReports([
    report([route()], figures({ answers: 1, errors: 2, firstByteMs: 400 })),
    report([route()], figures({ answers: 3, firstByteMs: 200, breaker: 'open' })),
    report([route()], figures({ breaker: 'half-open' })),
  ])
  expect(model?.providers).toEqual([
    { provider: 'first', weight: 1, wires: ['chat'], breaker: 'open', answers: 4, errors: 2, firstByteMs: 250 },
  ])
})

test('the newest report decides the settings of an alias, and each may add aliases', () => {
  const models = mergedReports([
    report([route({ maxOutputTokens: 9, providers: [{ name: 'second', weight: 2 }] })]),
    report([route(), route({ alias: 'acme/slow' })], figures()),
  ])
  expect(models).toMatchObject([
    { alias: 'acme/fast', maxOutputTokens: 9, providers: [{ provider: 'second', weight: 2, breaker: 'closed' }] },
    { alias: 'acme/slow', maxOutputTokens: 4_096, providers: [{ provider: 'first', firstByteMs: null }] },
  ])
})

test('without gateways there are no models', () => {
  expect(mergedReports([])).toEqual([])
})
