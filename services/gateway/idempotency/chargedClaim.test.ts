import { expect, test } from 'vitest'
import { Vault } from '../../../capabilities/answerStore/vault.ts'
import { systemIds } from '../../../platform/ids/ids.ts'
import { openLog } from '../../../platform/logger/logger.ts'
import { ManualClock } from '../../../test/support/time/manualClock.ts'
import { BackgroundWork } from '../backgroundWork.ts'
import { Claim, type ClaimStore } from './claim.ts'

const { log } = openLog({ level: 'silent', file: null })

test('a charged claim stays held until the answer store has settled it', async () => {
  const clock = new ManualClock()
  const told: string[] = []
  const store = {
    settle: async () => {
      told.push('settle')
      if (told.length === 1) throw new Error('no answer')
      return true
    },
  } as unknown as ClaimStore
  const deps = { store, clock, ids: systemIds, background: new BackgroundWork(clock), log }
  const holding = { scope: 'a scope', holder: 'a holder' }
  const claim = new Claim(deps, 'a call', holding, new Vault('a key'), {
    ...{ isCertain: () => true, stop: () => void told.push('let go') },
  })
  claim.charged()
  await clock.advance(0)
  expect(told).toEqual(['settle'])
  await clock.advance(1_000)
  expect(told).toEqual(['settle', 'settle', 'let go'])
})
