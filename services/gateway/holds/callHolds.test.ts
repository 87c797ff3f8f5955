import { expect, test } from 'vitest'
import { GatewayError } from '../gatewayError.ts'
import type { CallHold } from './callHold.ts'
import { CallHolds } from './callHolds.ts'

/** A keeper with a limit per account that records what happens to the holds. */
function aKeeper(limits: Readonly<Record<string, bigint>>) {
  const steps: string[] = []
  const place = async (account: string, holdId: string, amountMicros: bigint): Promise<CallHold> => {
    if (amountMicros > (limits[account] ?? 0n)) throw new GatewayError('insufficientCredits', account)
    steps.push(`${holdId} held`)
    return {
      cover: async (cost) => (cost < (limits[account] ?? 0n) ? cost : (limits[account] ?? 0n)),
      isSafe: () => true,
      settle: async (_, micros) => void steps.push(`${holdId} settled ${micros}`),
      release: () => void steps.push(`${holdId} released`),
    }
  }
  return { steps, holds: new CallHolds({ place, callEnded: (holdId) => void steps.push(`${holdId} ended`) }) }
}

const BUDGET = { familyId: 'k', period: '2026-03' }
const call = { companyId: 'c', callId: 'x', amountMicros: 5n }

test('a call without a budget is held against its company alone', async () => {
  const { holds, steps } = aKeeper({ c: 10n })
  await (await holds.place({ ...call, budget: null })).settle('1' as never, 4n)
  holds.callEnded('x')
  expect(steps).toEqual(['x held', 'x settled 4', 'x ended'])
})

test('a call with a budget is held, covered, settled and ended against both', async () => {
  const { holds, steps } = aKeeper({ c: 10n, 'budget:k:2026-03': 7n })
  const hold = await holds.place({ ...call, budget: BUDGET })
  expect([await hold.cover(6n), await hold.cover(9n)]).toEqual([6n, 7n])
  await hold.settle('1' as never, 6n)
  holds.callEnded('x')
  expect(steps).toEqual(['x held', 'x:budget held', 'x settled 6', 'x:budget settled 6', 'x ended', 'x:budget ended'])
})

test('a call that its budget does not cover holds nothing of its company', async () => {
  const { holds, steps } = aKeeper({ c: 10n, 'budget:k:2026-03': 4n })
  await expect(holds.place({ ...call, budget: BUDGET })).rejects.toThrow('budget:k:2026-03')
  expect(steps).toEqual(['x held', 'x released'])
})
