import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Position } from '../../contracts/position.ts'
import { type Clock, systemClock } from '../../platform/clock/clock.ts'
import { MemoryHolds } from '../../platform/sharedState/holds/memoryHolds.ts'
import { propertyRuns } from '../support/cases/propertyRuns.ts'

const GATEWAYS = 3
const LEASE_MS = 100
const KEPT_MS = 100
const COMPANY = 'company'

const at = (number: number) => String(number).padStart(8, '0') as Position

type Call = {
  readonly id: string
  readonly gateway: number
  readonly owner: string
  readonly charge: bigint
  /** `sent`: its charge is on the way to the ledger. `charged`: it stands there, and the table does not know yet. */
  state: 'held' | 'sent' | 'charged'
  /** Its charge is stored by then: a gateway keeps this margin to its lease. */
  landsBy: number
  position: number
  /** Its gateway died and will not settle it. */
  isOrphan: boolean
}

/** Three gateways, a ledger, and views of it that lag; every step is one that the gateways could take. */
class World {
  now = 0
  readonly ledger: bigint[] = []
  readonly table: MemoryHolds
  readonly calls: Call[] = []
  readonly gateways = Array.from({ length: GATEWAYS }, (_, n) => ({ owner: `owner-${n}`, view: 0, leaseEnds: 0 }))
  readonly lapsed = new Set<string>()
  #names = 0
  admitted = 0
  charged = 0

  constructor(grant: bigint) {
    const clock: Clock = { ...systemClock, now: () => this.now }
    this.table = new MemoryHolds(clock, { leaseMs: LEASE_MS, settledKeptMs: KEPT_MS })
    this.ledger.push(grant)
    for (const gateway of this.gateways) gateway.view = 1
  }

  balance(upTo = this.ledger.length): bigint {
    return this.ledger.slice(0, upTo).reduce((sum, delta) => sum + delta, 0n)
  }

  async place(n: number, amount: bigint, cost: bigint): Promise<void> {
    const gateway = this.#gateway(n)
    const id = `call-${this.#names++}`
    const ask = () => {
      const { owner, view } = gateway
      const seen = { balanceMicros: this.balance(view), position: at(view) }
      return this.table.place({ owner, companyId: COMPANY, holdId: id, amountMicros: amount, ...seen })
    }
    let answer = await ask()
    if (answer.outcome === 'lapsed') {
      gateway.owner = `owner-${this.#names++}`
      await this.table.enter(gateway.owner)
      gateway.leaseEnds = this.now + LEASE_MS
      answer = await ask()
    }
    if ('lapsed' in answer) for (const owner of answer.lapsed) this.lapsed.add(owner)
    if (answer.outcome !== 'held') return
    this.admitted++
    const charge = cost > amount ? amount : cost
    const { owner } = gateway
    this.calls.push({ id, gateway: n, owner, charge, state: 'held', landsBy: 0, position: 0, isOrphan: false })
  }

  /** A gateway that stood still finds that its lease is over and charges nothing. */
  send(n: number): void {
    const call = this.#call(n, 'held')
    if (!call) return
    const { owner, leaseEnds } = this.#gateway(call.gateway)
    if (owner === call.owner && this.now < leaseEnds) Object.assign(call, { state: 'sent', landsBy: leaseEnds })
    else this.#drop(call)
  }

  land(n: number): void {
    const call = this.#call(n, 'sent')
    if (call) this.#land(call)
  }

  async settle(n: number): Promise<void> {
    const call = this.#call(n, 'charged')
    if (!call) return
    const { owner, id: holdId, charge: amountMicros, position } = call
    await this.table.settle({ owner, companyId: COMPANY, holdId, amountMicros, position: at(position) })
    this.#drop(call)
  }

  async release(n: number): Promise<void> {
    const call = this.#call(n, 'held')
    if (!call) return
    await this.table.release({ owner: call.owner, companyId: COMPANY, holdId: call.id })
    this.#drop(call)
  }

  /** Its calls are gone; a charge that was sent still lands. */
  die(n: number): void {
    const gateway = this.#gateway(n)
    for (const call of this.calls.filter(({ owner }) => owner === gateway.owner)) {
      if (call.state === 'sent') call.isOrphan = true
      else this.#drop(call)
    }
    gateway.owner = 'dead'
    gateway.leaseEnds = 0
  }

  async reap(): Promise<void> {
    const head = at(this.ledger.length)
    for (const owner of this.lapsed) await this.table.reap(COMPANY, owner, head)
    this.lapsed.clear()
  }

  see(n: number, events: number): void {
    const gateway = this.#gateway(n)
    gateway.view = Math.min(this.ledger.length, gateway.view + events)
  }

  async renew(n: number): Promise<void> {
    const gateway = this.#gateway(n)
    if (await this.table.renew(gateway.owner)) gateway.leaseEnds = this.now + LEASE_MS
  }

  pass(ms: number): void {
    this.now += ms
    for (const call of [...this.calls]) if (call.state === 'sent' && call.landsBy <= this.now) this.#land(call)
  }

  #land(call: Call): void {
    this.charged++
    call.position = this.ledger.push(-call.charge)
    call.state = 'charged'
    if (call.isOrphan) this.#drop(call)
  }

  #drop(call: Call): void {
    this.calls.splice(this.calls.indexOf(call), 1)
  }

  #gateway(n: number) {
    const gateway = this.gateways[n % GATEWAYS]
    if (!gateway) throw new Error(`there is no gateway ${n}`)
    return gateway
  }

  #call(n: number, state: Call['state']): Call | undefined {
    const calls = this.calls.filter((call) => call.state === state)
    return calls[n % Math.max(1, calls.length)]
  }
}

const n = fc.nat({ max: 20 })
const amount = fc.bigInt({ min: 1n, max: 20n })
const step = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('place' as const), n, amount, fc.constantFrom(1n, 20n)) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('send' as const), n) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('land' as const), n) },
  { weight: 4, arbitrary: fc.tuple(fc.constant('settle' as const), n) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('release' as const), n) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('die' as const), n) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('reap' as const)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('see' as const), n, fc.integer({ min: 1, max: 5 })) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('renew' as const), n) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('pass' as const), fc.integer({ min: 1, max: 60 })) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('grant' as const), amount) },
)

const grants = fc.bigInt({ min: 1n, max: 60n })
const plans = fc.array(step, { minLength: 20, maxLength: 150, size: 'max' })
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

async function carryOut(grant: bigint, steps: readonly Step[], afterEach: (world: World) => void): Promise<World> {
  const world = new World(grant)
  for (const [what, ...args] of steps) {
    const [first, second, third] = args as [never, never, never]
    if (what === 'grant') world.ledger.push(args[0] as bigint)
    else await world[what](first, second, third)
    afterEach(world)
  }
  return world
}

test('the balance never falls below zero, in any order of holds, charges, releases, losses and late views', async () => {
  await fc.assert(
    fc.asyncProperty(grants, plans, async (grant, steps) => {
      await carryOut(grant, steps, (world) => expect(world.balance()).toBeGreaterThanOrEqual(0n))
    }),
    { numRuns: propertyRuns({ few: 500, many: 2_500 }) },
  )
})

// It is no proof if nothing was ever charged or refused.
test('calls are often charged and often refused in the orders that are tried', async () => {
  let charges = 0
  let refusals = 0
  for (const [grant, steps] of fc.sample(fc.tuple(grants, plans), { numRuns: 100, seed: 1 })) {
    const world = await carryOut(grant, steps, () => {})
    charges += world.charged
    refusals += steps.filter(([what]) => what === 'place').length - world.admitted
  }
  expect(charges).toBeGreaterThan(100)
  expect(refusals).toBeGreaterThan(100)
})
