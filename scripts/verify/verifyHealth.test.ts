import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/time/manualClock.ts'
import { type HealthCheck, verifyHealth } from './verifyHealth.ts'

const up: HealthCheck = { status: 200, health: 'healthy', fault: null }
const down: HealthCheck = { status: 503, health: null, fault: null }

/** Runs the check against these answers, with time passing instantly, and notes when each was requested. */
async function verified(answers: (attempt: number) => HealthCheck | 'never') {
  const clock = new ManualClock(0)
  const attemptsAtMs: number[] = []
  const reported: HealthCheck[] = []
  const verdict = verifyHealth({
    clock,
    check: () => {
      attemptsAtMs.push(clock.now())
      const answer = answers(attemptsAtMs.length)
      return answer === 'never' ? new Promise(() => {}) : Promise.resolve(answer)
    },
    onAttempt: (_attempt, check) => reported.push(check),
  })
  await clock.advance(120_000)
  return { ...(await verdict), attemptsAtMs, reported }
}

describe('a deployment', () => {
  test('that is up is found healthy by the first attempt', async () => {
    expect(await verified(() => up)).toMatchObject({ healthy: true, attempts: 1, attemptsAtMs: [0] })
  })

  test('is checked every 3 seconds until it is up', async () => {
    const { attemptsAtMs, ...verdict } = await verified((attempt) => (attempt < 4 ? down : up))
    expect(verdict).toMatchObject({ healthy: true, attempts: 4, status: 200, reported: [down, down, down, up] })
    expect(attemptsAtMs).toEqual([0, 3_000, 6_000, 9_000])
  })

  test('that stays down is reported unhealthy after 20 attempts and within 60 seconds', async () => {
    const { attemptsAtMs, ...verdict } = await verified(() => down)
    expect(verdict).toMatchObject({ healthy: false, attempts: 20, status: 503 })
    expect(attemptsAtMs).toHaveLength(20)
    expect(attemptsAtMs.at(-1)).toBe(57_000)
  })

  test('that never answers does not hold up the next attempt', async () => {
    const { attemptsAtMs, ...verdict } = await verified((attempt) => (attempt === 3 ? up : 'never'))
    expect(verdict).toMatchObject({ healthy: true, attempts: 3 })
    expect(verdict.reported[0]).toEqual({ status: null, health: null, fault: 'no answer within 3 s' })
    expect(attemptsAtMs).toEqual([0, 3_000, 6_000])
  })

  test('that answers 200 and reports unhealthy is not healthy', async () => {
    expect(await verified(() => ({ ...up, health: 'unhealthy' }))).toMatchObject({ healthy: false, attempts: 20 })
  })

  test.each(['degraded', null])('that answers 200 and reports %s is healthy', async (health) => {
    expect(await verified(() => ({ ...up, health }))).toMatchObject({ healthy: true, attempts: 1, health })
  })

  test('that answers a status other than 200 is not healthy', async () => {
    const { healthy } = await verified((attempt) => ({ status: attempt % 2 ? 204 : 302, health: null, fault: null }))
    expect(healthy).toBe(false)
  })
})
