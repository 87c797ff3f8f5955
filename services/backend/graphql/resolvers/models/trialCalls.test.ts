import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  freshReports,
  type GatewayReport,
  publishReport,
} from '../../../../../capabilities/providers/gatewayReports.ts'
import {
  readTrialCall,
  TRIAL_CALL_MS_MAX,
  TRIAL_CALL_TAKEN_MS_MAX,
  takeTrialCall,
} from '../../../../../capabilities/trialCalls/trialCallTable.ts'
import {
  type BackendHarness,
  type Reply,
  startBackendHarness,
} from '../../../../../test/support/harness/backendHarness.ts'
import { stalled } from '../../../../../test/support/parties/scriptedProvider.ts'
import { jumpingClock } from '../../../../../test/support/time/jumpingClock.ts'
import { until } from '../../../../../test/support/time/until.ts'

const clock = jumpingClock()
let backend: BackendHarness
let report: GatewayReport
beforeAll(async () => {
  backend = await startBackendHarness({ clock })
  report = await until('the gateway has reported its routes', async () => (await freshReports(database()))[0])
})
afterAll(() => backend.close())

const database = () => backend.runtime.engines.database
const tested = () =>
  backend.ask('mutation { testModel(alias: "svc/chat-default") { id status error } }', {}, backend.superAdmin.token)

/** Advances the clock by up to this many seconds while it waits for the answer. `ms`: the time it took. */
async function answerWithin(seconds: number, answer: Promise<Reply>): Promise<Reply & { readonly ms: number }> {
  const askedAtMs = clock.monotonicMs()
  let isAnswered = false
  const reply = answer.finally(() => {
    isAnswered = true
  })
  for (let passed = 0; passed < seconds && !isAnswered; passed++) {
    clock.jump(1_000)
    // The backend looks at the database before it waits again.
    await wait(20)
  }
  return { ...(await reply), ms: clock.monotonicMs() - askedAtMs }
}

test('a trial call to a provider that hangs times out and names the provider', async () => {
  backend.provider.next(stalled())
  const calls = backend.provider.calls.length
  const answer = tested()
  await until('the provider has the call', () => backend.provider.calls.length > calls)
  const { data } = await answerWithin(TRIAL_CALL_MS_MAX / 1_000 + 5, answer)
  const error = 'Provider vendor-one did not complete its answer within 30 s.'
  expect(data.testModel).toMatchObject({ status: null, error })
})

describe('after the last gateway was killed, a moment after it reported its routes, a trial call', () => {
  beforeAll(() => backend.drain())
  beforeEach(async () => {
    // The times of the table are those of the database, which do not jump.
    await database().query('delete from platform.test_calls')
    await publishReport(database(), randomUUID(), report)
  })

  test('fails with the reason if no gateway takes it', async () => {
    const answer = tested()
    const waitingCalls = 'select 1 from platform.test_calls where taken_at is null'
    await until('a gateway is asked', async () => (await database().query(waitingCalls)).length > 0)
    const { code, errors, ms } = await answerWithin(25, answer)
    const message = 'no gateway took the trial call within 10 s: check that one runs'
    expect([code, errors?.[0].message]).toEqual(['PROVIDER_ERROR', message])
    expect(ms).toBeGreaterThan(TRIAL_CALL_TAKEN_MS_MAX)
  })

  test('fails with the reason if the gateway had taken it, once no result can arrive', async () => {
    const answer = tested()
    const taken = await until('a gateway takes the call', () => takeTrialCall(database()))
    const { code, errors, ms } = await answerWithin(60, answer)
    const message = 'the gateway that took the trial call reported no result; try again'
    expect([code, errors?.[0].message]).toEqual(['PROVIDER_ERROR', message])
    expect(ms).toBeGreaterThan(TRIAL_CALL_MS_MAX)
    expect(await readTrialCall(database(), taken.callId)).toBe('taken')
  })
})
