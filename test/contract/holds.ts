import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { BEGINNING, type Position } from '../../contracts/position.ts'
import type { HoldRequest, HoldTable, HoldTimes } from '../../platform/sharedState/holds/port.ts'
import { until } from '../support/time/until.ts'

/** What the suite needs from an adapter: tables on one engine that are open for admission. */
export type HoldsHarness = {
  /** Another client of the same engine, as a second gateway would have it. */
  open(times: HoldTimes): HoldTable | Promise<HoldTable>
  close(): Promise<void>
}

const LONG: HoldTimes = { leaseMs: 15_000, settledKeptMs: 60_000 }
const SHORT: HoldTimes = { leaseMs: 150, settledKeptMs: 150 }
const at = (number: number) => String(number).padStart(16, '0') as Position

export function holdsContract(name: string, start: () => Promise<HoldsHarness>): void {
  describe(`${name} keep the contract of holds`, () => {
    let harness: HoldsHarness
    let table: HoldTable
    let owner: string
    let companyId: string

    beforeAll(async () => {
      harness = await start()
      table = await harness.open(LONG)
    })
    afterAll(() => harness?.close())
    beforeEach(async () => {
      owner = randomUUID()
      companyId = randomUUID()
      await table.enter(owner)
    })

    /** A company with 100 micros at position 10, unless said otherwise. */
    const request = (holdId: string, amountMicros: bigint, changes: Partial<HoldRequest> = {}): HoldRequest => ({
      ...{ owner, companyId, holdId, amountMicros, balanceMicros: 100n, position: at(10) },
      ...changes,
    })
    const place = (holdId: string, amountMicros: bigint, changes: Partial<HoldRequest> = {}, on = table) =>
      on.place(request(holdId, amountMicros, changes))
    const HELD = { outcome: 'held', lapsed: [] }
    const refused = (heldMicros: bigint, unseenMicros: bigint) => ({
      ...{ outcome: 'refused', heldMicros, unseenMicros, lapsed: [] },
    })

    test('hold what the balance covers, to the last micro, and no more', async () => {
      expect(await place('a', 60n)).toEqual(HELD)
      expect(await place('b', 41n)).toEqual(refused(60n, 0n))
      expect(await place('b', 40n)).toEqual(HELD)
      expect(await place('c', 1n)).toEqual(refused(100n, 0n))
      expect(await place('c', 0n)).toEqual(HELD)
      expect(await place('d', 1n, { companyId: randomUUID() })).toEqual(HELD)
    })

    test('refuse against a balance below zero', async () => {
      expect(await place('a', 0n, { balanceMicros: -1n })).toEqual(refused(0n, 0n))
    })

    test('replace the amount of a hold if the balance covers it, and leave it unchanged otherwise', async () => {
      await place('a', 60n)
      expect(await place('a', 60n)).toEqual(HELD)
      expect(await place('a', 101n)).toEqual(refused(0n, 0n))
      expect(await place('b', 41n)).toEqual(refused(60n, 0n))
      expect(await place('a', 100n)).toEqual(HELD)
      expect(await place('b', 1n)).toEqual(refused(100n, 0n))
    })

    test('release a hold once', async () => {
      await place('a', 60n)
      await place('b', 40n)
      await table.release({ owner, companyId, holdId: 'a' })
      await table.release({ owner, companyId, holdId: 'a' })
      await table.release({ owner, companyId, holdId: 'never was' })
      expect(await place('c', 61n)).toEqual(refused(40n, 0n))
      expect(await place('c', 60n)).toEqual(HELD)
    })

    test('do not release a hold of another owner', async () => {
      const other = randomUUID()
      await table.enter(other)
      await place('a', 60n, { owner: other })
      await table.release({ owner, companyId, holdId: 'a' })
      await table.settle({ owner, companyId, holdId: 'a', position: at(9), amountMicros: 5n })
      expect(await place('b', 41n)).toEqual(refused(60n, 0n))
    })

    test('count a settled charge for views that have not passed it, and not for others', async () => {
      await place('a', 60n)
      const charge = { owner, companyId, holdId: 'a', position: at(12), amountMicros: 50n }
      await table.settle(charge)
      await table.settle(charge)
      for (const behind of [BEGINNING, at(10), at(11)]) {
        expect(await place('b', 51n, { position: behind })).toEqual(refused(0n, 50n))
      }
      // A view that has passed it has the charge in its balance.
      for (const past of [at(12), at(13)]) {
        expect(await place('b', 51n, { position: past, balanceMicros: 50n })).toEqual(refused(0n, 0n))
      }
      expect(await place('b', 50n)).toEqual(HELD)
    })

    test('count several charges, each by its own position', async () => {
      for (const [n, holdId] of ['a', 'b', 'c'].entries()) {
        await table.settle({ owner, companyId, holdId, position: at(11 + n), amountMicros: 10n })
      }
      await table.settle({ owner, companyId, holdId: 'd', position: at(13), amountMicros: 1n })
      expect(await place('x', 101n)).toEqual(refused(0n, 31n))
      expect(await place('x', 101n, { position: at(11) })).toEqual(refused(0n, 21n))
      expect(await place('x', 101n, { position: at(12) })).toEqual(refused(0n, 11n))
    })

    test('admit as many of many simultaneous calls, through several clients, as the balance covers', async () => {
      const clients = [table, await harness.open(LONG), await harness.open(LONG)]
      const owners = [owner, randomUUID(), randomUUID()]
      await Promise.all(owners.map((each, n) => clients[n]?.enter(each)))
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, n) => place(`call-${n}`, 9n, { owner: owners[n % 3] }, clients[n % 3])),
      )
      expect(answers.filter(({ outcome }) => outcome === 'held')).toHaveLength(11)
    })

    test('add amounts exactly that a double would round', async () => {
      const balanceMicros = 2n ** 53n - 1n
      expect(await place('a', balanceMicros - 1n, { balanceMicros })).toEqual(HELD)
      expect(await place('b', 2n, { balanceMicros })).toEqual(refused(balanceMicros - 1n, 0n))
      expect(await place('b', 1n, { balanceMicros })).toEqual(HELD)
      const rich = { companyId: randomUUID(), balanceMicros: 10n ** 24n }
      expect(await place('a', 5n, rich)).toEqual(HELD)
      expect((await place('b', 10n ** 25n, rich)).outcome).toBe('refused')
    })

    test('refuse owners without a lease, and do not renew an expired lease', async () => {
      expect(await place('a', 1n, { owner: randomUUID() })).toEqual({ outcome: 'lapsed' })
      expect(await table.renew(randomUUID())).toBe(false)
      expect(await table.renew(owner)).toBe(true)
      const brief = await harness.open(SHORT)
      const short = randomUUID()
      await brief.enter(short)
      await untilLapsed(brief, short)
      expect(await brief.renew(short)).toBe(false)
      expect(await place('a', 1n, { owner: short })).toEqual({ outcome: 'lapsed' })
    })

    test('count the holds of a lapsed owner until they are reaped, then as a charge at that position', async () => {
      const dead = randomUUID()
      await table.enter(dead)
      await place('a', 30n, { owner: dead })
      await place('b', 30n, { owner: dead })
      await table.reap(companyId, dead, at(11))
      // A lease that ends soon. With it from the beginning, a busy machine could be too slow for the holds.
      await (await harness.open(SHORT)).renew(dead)
      await untilLapsed(table, dead)
      expect(await place('c', 41n)).toEqual({ ...refused(60n, 0n), lapsed: [dead] })
      expect(await place('c', 40n)).toEqual({ outcome: 'held', lapsed: [dead] })
      await table.reap(companyId, dead, at(20))
      await table.reap(companyId, dead, at(20))
      expect(await place('d', 1n)).toEqual(refused(40n, 60n))
      expect(await place('d', 60n, { position: at(20) })).toEqual(HELD)
    })

    test('do not reap an owner whose lease is valid', async () => {
      await place('a', 100n)
      await table.reap(companyId, owner, at(11))
      expect(await place('b', 1n, { position: at(11) })).toEqual(refused(100n, 0n))
    })

    test('refuse a view that is older than the charges still remembered', async () => {
      const brief = await harness.open({ ...SHORT, leaseMs: LONG.leaseMs })
      await brief.settle({ owner, companyId, holdId: 'a', position: at(12), amountMicros: 50n })
      await brief.settle({ owner, companyId, holdId: 'b', position: at(11), amountMicros: 20n })
      expect((await place('c', 31n)).outcome).toBe('refused')
      const answer = await until('it is forgotten', async () => {
        const now = await place('c', 31n, {}, brief)
        return now.outcome === 'behind' && now
      })
      expect(answer).toEqual({ outcome: 'behind', floor: at(12) })
      expect(await place('c', 1n, { position: at(11) }, brief)).toEqual({ outcome: 'behind', floor: at(12) })
      expect(await place('c', 30n, { position: at(12), balanceMicros: 30n }, brief)).toEqual(HELD)
    })
  })

  /** Placing an amount of zero for an unknown company checks the lease without renewing it. */
  async function untilLapsed(table: HoldTable, owner: string): Promise<void> {
    const companyId = randomUUID()
    const hold = { owner, companyId, holdId: 'none', amountMicros: 1n, balanceMicros: 0n, position: at(1) }
    await until('the lease is over', async () => (await table.place(hold)).outcome === 'lapsed')
  }
}
