import { describe, expect, test } from 'vitest'
import { ManualClock } from '../../test/support/manualClock.ts'
import { type Look, verifyHealth } from './verifyHealth.ts'

const up: Look = { status: 200, fault: null }
const down: Look = { status: 503, fault: null }

/** Runs the check against these answers, in a time that passes at once, and notes when each was asked for. */
async function verified(answers: (attempt: number) => Look | 'never') {
  const clock = new ManualClock(0)
  const askedAtMs: number[] = []
  const told: Look[] = []
  const verdict = verifyHealth({
    clock,
    look: () => {
      askedAtMs.push(clock.now())
      const answer = answers(askedAtMs.length)
      return answer === 'never' ? new Promise(() => {}) : Promise.resolve(answer)
    },
    onAttempt: (_attempt, look) => told.push(look),
  })
  await clock.advance(120_000)
  return { ...(await verdict), askedAtMs, told }
}

describe('a deployment', () => {
  test('that is up is seen at the first attempt, without a wait', async () => {
    expect(await verified(() => up)).toMatchObject({ healthy: true, attempts: 1, askedAtMs: [0] })
  })

  test('is asked every 3 seconds until it is up', async () => {
    const { askedAtMs, ...verdict } = await verified((attempt) => (attempt < 4 ? down : up))
    expect(verdict).toMatchObject({ healthy: true, attempts: 4, status: 200, told: [down, down, down, up] })
    expect(askedAtMs).toEqual([0, 3_000, 6_000, 9_000])
  })

  test('that stays down is given up after 20 attempts and within 60 seconds', async () => {
    const { askedAtMs, ...verdict } = await verified(() => down)
    expect(verdict).toMatchObject({ healthy: false, attempts: 20, status: 503 })
    expect(askedAtMs).toHaveLength(20)
    expect(askedAtMs.at(-1)).toBe(57_000)
  })

  test('that never answers does not hold up the next attempt', async () => {
    const { askedAtMs, ...verdict } = await verified((attempt) => (attempt === 3 ? up : 'never'))
    expect(verdict).toMatchObject({ healthy: true, attempts: 3 })
    expect(verdict.told[0]).toEqual({ status: null, fault: 'no answer within 3 s' })
    expect(askedAtMs).toEqual([0, 3_000, 6_000])
  })

  test('is not up because it answers something else', async () => {
    const { healthy } = await verified((attempt) => ({ status: attempt % 2 ? 204 : 302, fault: null }))
    expect(healthy).toBe(false)
  })
})
