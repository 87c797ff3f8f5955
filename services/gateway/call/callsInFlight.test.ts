import { expect, test } from 'vitest'
import { type CallInFlight, CallsInFlight } from './callsInFlight.ts'

const aCall = (keyId: string) => ({ inFlight: { keyId } as CallInFlight })

test('calls are found until they end, in any order, and slots are reused', () => {
  const calls = new CallsInFlight()
  calls.begin('a', aCall('of a'))
  calls.begin('b', aCall('of b'))
  calls.end('a')
  calls.end('a')
  calls.begin('c', aCall('of c'))
  calls.begin('d', aCall('of d'))
  calls.begin('b', aCall('again of b'))
  expect(['a', 'b', 'c', 'd'].map((id) => calls.find(id)?.keyId ?? null)).toEqual([null, 'again of b', 'of c', 'of d'])
  for (const id of ['b', 'c', 'd']) calls.end(id)
  expect(['b', 'c', 'd'].map((id) => calls.find(id))).toEqual([null, null, null])
})
