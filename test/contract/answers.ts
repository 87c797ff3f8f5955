import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type AnswerStore,
  CLAIM_RENEWAL_MS,
  type ClaimRequest,
  KEPT_ANSWER_MS,
} from '../../capabilities/answerStore/answerStore.ts'

/** What calls and settlements use of the answer store. */
export type Answers = Pick<AnswerStore, 'claim' | 'renew' | 'keep' | 'settle' | 'release' | 'giveUp' | 'withdraw'>

export type AnswersHarness = {
  readonly store: Answers
  /** Makes the lease of this claim one that ended so long ago. */
  endLease(scope: string, agoMs: number): Promise<unknown>
  leaseLeftMs(scope: string): Promise<number>
  close(): Promise<void>
}

const NOW_MS = Date.UTC(2026, 2, 1, 12)
const SEALED = Buffer.from([0, 1, 255, 92, 120])

export function answersContract(name: string, start: () => Promise<AnswersHarness>): void {
  describe(`${name} keeps the contract of the answer store`, () => {
    let harness: AnswersHarness
    let store: Answers
    let scopes = 0
    let first: ClaimRequest

    beforeAll(async () => {
      harness = await start()
      store = harness.store
    })
    afterAll(() => harness.close())
    beforeEach(() => {
      scopes += 1
      first = request()
    })

    const request = (changes: Partial<ClaimRequest> = {}): ClaimRequest => ({
      ...{ scope: `scope ${scopes}`, fingerprint: 'a body', callId: randomUUID(), holder: randomUUID() },
      nowMs: NOW_MS,
      ...changes,
    })
    const endLease = (agoMs = 1) => harness.endLease(first.scope, agoMs)

    describe('a claim', () => {
      test('goes to one of many concurrent requests; the others find it in progress', async () => {
        const found = await Promise.all(Array.from({ length: 20 }, () => store.claim(request())))
        expect(found.filter(({ is }) => is === 'claimed')).toHaveLength(1)
        expect(found.filter(({ is }) => is === 'in progress')).toHaveLength(19)
      })

      test('for another body is refused while the first is in progress and after it succeeded', async () => {
        const other = () => store.claim(request({ fingerprint: 'another body' }))
        await store.claim(first)
        expect(await other()).toEqual({ is: 'another body' })
        await store.keep(first, SEALED)
        await endLease()
        expect(await other()).toEqual({ is: 'another body' })
        await store.settle(first.scope, first.callId)
        expect(await other()).toEqual({ is: 'another body' })
      })

      test('that was given up is free, for another body too', async () => {
        await store.claim(first)
        expect(await store.giveUp(first, first.callId)).toBe(true)
        expect(await store.claim(request({ fingerprint: 'another body' }))).toEqual({ is: 'claimed' })
      })

      test('is free within 15 s without a renewal, and stays held with one', async () => {
        await store.claim(first)
        expect(await harness.leaseLeftMs(first.scope)).toBeLessThanOrEqual(15_000)
        expect(await harness.leaseLeftMs(first.scope)).toBeGreaterThan(CLAIM_RENEWAL_MS)
        await endLease()
        await store.renew([first, request({ scope: 'of another holder' })])
        expect(await harness.leaseLeftMs(first.scope)).toBeGreaterThan(CLAIM_RENEWAL_MS)
        expect(await store.claim(request())).toMatchObject({ is: 'in progress' })
        await endLease()
        await store.renew([request()])
        expect(await store.claim(request({ fingerprint: 'another body' }))).toEqual({ is: 'claimed' })
      })

      test('of a holder that has died is free for a request that knows it, unless it was renewed meanwhile', async () => {
        await store.claim(first)
        const seen = async () => {
          const found = await store.claim(request())
          return found.is === 'in progress' ? found.lease : undefined
        }
        const silent = await seen()
        await store.renew([first])
        expect(await store.claim(request({ silent }))).toMatchObject({ is: 'in progress' })
        const renewed = await seen()
        expect(
          await store.claim(request({ silent: { holder: randomUUID(), leasedTo: renewed?.leasedTo ?? '' } })),
        ).toMatchObject({
          is: 'in progress',
        })
        expect(await store.claim(request({ silent: renewed, fingerprint: 'another body' }))).toEqual({ is: 'claimed' })
        expect(await store.keep(first, SEALED)).toBe(false)
      })

      test('that was taken over cannot be updated by its old holder', async () => {
        await store.claim(first)
        await endLease()
        const second = request()
        expect(await store.claim(second)).toEqual({ is: 'claimed' })
        expect(await store.keep(first, SEALED)).toBe(false)
        expect(await store.settle(first.scope, first.callId)).toBe(false)
        expect(await store.release(first)).toBe(false)
        // It can still be given up, because no process has its call.
        expect(await store.giveUp(first, first.callId)).toBe(true)
        expect(await store.keep(second, SEALED)).toBe(true)
      })

      test('whose answer was inherited is settled by the old holder, who knows best that its call was charged', async () => {
        await store.claim(first)
        await store.keep(first, SEALED)
        await endLease()
        expect(await store.claim(request())).toMatchObject({ is: 'inherited' })
        expect(await store.renew([first])).toEqual([])
        expect(await store.settle(first.scope, first.callId)).toBe(true)
        expect(await store.withdraw(first, first.callId)).toBe('charged')
      })

      test('names the holders whose claims were renewed', async () => {
        await store.claim(first)
        expect(await store.renew([request({ scope: 'of another holder' }), first])).toEqual([first.holder])
      })

      test('can be given up again if the first result was lost', async () => {
        await store.claim(first)
        await store.keep(first, SEALED)
        expect(await store.giveUp(first, first.callId)).toBe(true)
        expect(await store.giveUp(first, first.callId)).toBe(true)
        expect(await store.claim(request())).toEqual({ is: 'claimed' })
        expect(await store.giveUp(first, first.callId)).toBe(true)
        expect(await store.claim(request())).toMatchObject({ is: 'in progress' })
      })
    })

    describe('a stored response', () => {
      test('is in progress until it is settled, then returned to every repetition with its call id', async () => {
        await store.claim(first)
        await store.keep(first, SEALED)
        expect(await store.claim(request())).toMatchObject({ is: 'in progress' })
        await store.settle(first.scope, first.callId)
        const settled = { is: 'settled', callId: first.callId, sealed: SEALED }
        expect(await store.claim(request())).toEqual(settled)
        await endLease()
        expect(await store.claim(request())).toEqual(settled)
      })

      test.each([
        ['died', () => endLease()],
        ['released it', () => store.release(first)],
      ])('whose holder %s is inherited by one, under the same call’s id', async (_, leave) => {
        await store.claim(first)
        await store.keep(first, SEALED)
        await leave()
        const heirs = await Promise.all([store.claim(request()), store.claim(request()), store.claim(request())])
        expect(heirs.filter(({ is }) => is === 'in progress')).toHaveLength(2)
        expect(heirs).toContainEqual({ is: 'inherited', callId: first.callId, sealed: SEALED })
        expect(await store.giveUp(first, first.callId)).toBe(false)
      })

      test('that was released stays free when a renewal comes late; one whose lease ran out is held again', async () => {
        await store.claim(first)
        await endLease()
        await store.renew([first])
        expect(await harness.leaseLeftMs(first.scope)).toBeGreaterThan(0)
        await store.release(first)
        await store.renew([first])
        expect(await store.claim(request())).toEqual({ is: 'claimed' })
      })

      test('expires in any state', async () => {
        await store.claim(first)
        await store.keep(first, SEALED)
        await store.settle(first.scope, first.callId)
        const endMs = NOW_MS + KEPT_ANSWER_MS
        expect(await store.claim(request({ nowMs: endMs - 1 }))).toMatchObject({ is: 'settled' })
        const next = request({ nowMs: endMs, fingerprint: 'another body' })
        expect(await store.claim(next)).toEqual({ is: 'claimed' })
        expect(await store.claim(request({ nowMs: endMs, fingerprint: 'another body' }))).toMatchObject({
          is: 'in progress',
        })
        await store.keep(next, SEALED)
        await store.settle(next.scope, next.callId)
        expect(await store.claim(request({ ...next, nowMs: endMs + KEPT_ANSWER_MS - 1 }))).toMatchObject({
          is: 'settled',
          callId: next.callId,
        })
      })
    })

    describe('withdrawing the claim of a call whose caller was told that it failed', () => {
      const withdraw = () => store.withdraw(first, first.callId)
      const inherited = async () => {
        await store.claim(first)
        await store.keep(first, SEALED)
        await endLease()
        const heir = request()
        expect(await store.claim(heir)).toMatchObject({ is: 'inherited' })
        return heir
      }

      test('frees the key, even when it is repeated', async () => {
        await store.claim(first)
        await store.keep(first, SEALED)
        expect([await withdraw(), await withdraw()]).toEqual(['withdrawn', 'withdrawn'])
        expect(await store.claim(request({ fingerprint: 'another body' }))).toEqual({ is: 'claimed' })
      })

      test('leaves the claim of a later call alone', async () => {
        await store.claim(first)
        await withdraw()
        const later = request()
        await store.claim(later)
        expect(await withdraw()).toBe('withdrawn')
        expect(await store.keep(later, SEALED)).toBe(true)
      })

      test('does not take the answer away from a request that has inherited it', async () => {
        const heir = await inherited()
        expect(await withdraw()).toBe('inherited')
        await store.settle(heir.scope, first.callId)
        expect(await withdraw()).toBe('charged')
      })

      test('succeeds once the request that inherited it has been gone for 40 s after its lease', async () => {
        await inherited()
        await endLease(41_000)
        expect(await withdraw()).toBe('withdrawn')
      })
    })
  })
}
