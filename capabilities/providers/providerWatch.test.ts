import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { createMetrics, type Metrics } from '../../platform/metrics/metrics.ts'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { ProviderWatch } from './providerWatch.ts'

let clock: ManualClock
let lines: { level: number; msg: string; [field: string]: unknown }[]
let metrics: Metrics
let watch: ProviderWatch

const logged = () => pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
beforeEach(() => {
  clock = new ManualClock()
  lines = []
  metrics = createMetrics()
  watch = new ProviderWatch({ clock, log: logged(), metrics })
})

const refusal = { alias: 'acme/fast', provider: 'first', status: 401, callId: 'call-1' }
const errors = () => lines.filter(({ level }) => level === 50)

describe('a refusal that only the operator can end', () => {
  test.each([401, 403, 404])('with %s is an error in the log, with alias, provider and status', (status) => {
    watch.refused({ ...refusal, status })
    expect(lines).toMatchObject([{ level: 50, alias: 'acme/fast', provider: 'first', status, notLogged: 0 }])
  })

  test('is logged once a minute, with the number of occurrences in between', async () => {
    for (let n = 0; n < 5; n++) watch.refused(refusal)
    await clock.advance(59_999)
    watch.refused(refusal)
    expect(errors()).toHaveLength(1)
    await clock.advance(1)
    watch.refused(refusal)
    expect(errors().map(({ notLogged }) => notLogged)).toEqual([0, 5])
  })

  test('is logged for each alias, provider and status', () => {
    watch.refused(refusal)
    watch.refused({ ...refusal, alias: 'acme/slow' })
    watch.refused({ ...refusal, provider: 'second' })
    watch.refused({ ...refusal, status: 404 })
    expect(errors()).toHaveLength(4)
  })
})

test('another refusal is a warning for each call', () => {
  for (let n = 0; n < 2; n++) watch.refused({ ...refusal, status: 429 })
  expect(lines.map(({ level }) => level)).toEqual([40, 40])
})

const second = { alias: 'acme/fast', provider: 'second', callId: 'call-2' }

test('errors are counted by alias, provider and reason, except for calls that an open breaker stopped', async () => {
  watch.refused(refusal)
  watch.refused(refusal)
  watch.unreachable(second, 'provider_unreachable', new Error('refused'))
  watch.unreachable(second, 'provider_resting', new Error('open'))
  // A second service of the same process counts in the same metric.
  new ProviderWatch({ clock, log: logged(), metrics }).refused(refusal)
  const text = await metrics.metrics()
  expect(text).toContain('tollgate_provider_errors_total{alias="acme/fast",provider="first",reason="provider_401"} 3')
  expect(text).toContain(
    'tollgate_provider_errors_total{alias="acme/fast",provider="second",reason="provider_unreachable"} 1',
  )
  expect(text).not.toContain('provider_resting')
  expect(text).toContain('tollgate_provider_requests_total{alias="acme/fast",provider="first"} 3')
  expect(text).toContain('tollgate_provider_requests_total{alias="acme/fast",provider="second"} 1')
})

test('requests are counted by alias and provider, and their time to the first byte if they were answered', async () => {
  const sentAtMs = clock.monotonicMs()
  await clock.advance(40)
  watch.answered('acme/fast', 'first', sentAtMs)
  watch.answered('acme/slow', 'first', sentAtMs)
  watch.givenUp('acme/fast', 'first')
  for (let scrape = 0; scrape < 2; scrape++) {
    const text = await metrics.metrics()
    expect(text).toContain('tollgate_provider_requests_total{alias="acme/fast",provider="first"} 2')
    expect(text).toContain('tollgate_provider_requests_total{alias="acme/slow",provider="first"} 1')
    const bucket = (le: string) =>
      `tollgate_provider_first_byte_seconds_bucket{le="${le}",alias="acme/fast",provider="first"}`
    expect(text).toContain(`${bucket('0.025')} 0`)
    expect(text).toContain(`${bucket('0.05')} 1`)
  }
})

test('times to the first byte do not accumulate without limit if nothing scrapes them', async () => {
  for (let n = 0; n < 25_000; n++) watch.answered('acme/fast', 'first', clock.monotonicMs())
  expect(await metrics.metrics()).toContain(
    'tollgate_provider_first_byte_seconds_count{alias="acme/fast",provider="first"} 25000',
  )
})

describe('the figures', () => {
  test('are those of the last minute, with the average time to the first byte', async () => {
    watch.answered('acme/fast', 'first', clock.monotonicMs())
    await clock.advance(30)
    watch.answered('acme/fast', 'first', 0)
    watch.refused(refusal)
    watch.unreachable(second, 'provider_unreachable', new Error('refused'))
    expect(watch.figures()).toEqual([
      { provider: 'first', answers: 2, errors: 1, firstByteMs: 15 },
      { provider: 'second', answers: 0, errors: 1, firstByteMs: null },
    ])
    await clock.advance(54_000)
    expect(watch.figures()).toHaveLength(2)
    await clock.advance(6_000)
    expect(watch.figures()).toEqual([])
  })

  test('drop old calls while new ones come', async () => {
    for (let second = 0; second < 300; second++) {
      watch.answered('acme/fast', 'first', clock.monotonicMs())
      await clock.advance(1_000)
    }
    const [figures] = watch.figures()
    expect(figures?.answers).toBeGreaterThanOrEqual(55)
    expect(figures?.answers).toBeLessThanOrEqual(60)
  })
})
