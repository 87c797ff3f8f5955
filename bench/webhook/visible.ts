import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Installation } from '../../capabilities/installation.ts'
import { streamName } from '../../contracts/streams.ts'
import { newEvent } from '../../platform/eventStore/eventCodec.ts'
import type { Pace } from '../benchCommand.ts'
import { aCharge } from '../benchDatabase.ts'
import { percentile } from '../feed/lagFigures.ts'
import type { Figure } from '../figure.ts'
import { deliver, paidCheckout } from './deliveries.ts'
import { withPaymentInstallation } from './paymentInstallation.ts'

const PER_SECOND = 50
const WARM_UP = 3 * PER_SECOND
const P99_MS_MAX = 250
/** If a bare append takes longer than this, the bound is a ratio instead: the same bound for a slower disk. */
const BARE_APPEND_MS_MAX = 20
const LOOK_EVERY_MS = 5
const USERS = 50
const WAIT_MS_MAX = 30_000

/** Measures the time from a delivery to the visible balance. Each delivery is for a new company. */
export function benchVisible({ isShort }: Pace): Promise<Figure[]> {
  const count = (isShort ? 5 : 20) * PER_SECOND
  return withPaymentInstallation(async ({ runtime, backendUrl, startBackground }) => {
    const { engines, secrets } = runtime
    const company = randomUUID()
    const bare: number[] = []
    await steadily(WARM_UP + count, async (n, dueMs) => {
      await engines.store.append(`ledger-${company}`, 'any', [aCharge(company, company, n)])
      if (n >= WARM_UP) bare.push(performance.now() - dueMs)
    })
    const users = Array.from({ length: USERS }, () => randomUUID())
    const [first, ...purchases] = await Promise.all(
      Array.from({ length: 1 + WARM_UP + count }, (_, n) => startPurchase(engines, users[n % USERS] as string)),
    )
    startBackground()
    const watch = new BalanceWatch(engines)
    const bought = ({ purchaseId, companyId, userId }: Purchase) => {
      const delivery = paidCheckout(purchaseId, userId, secrets.webhookSecret)
      return Promise.all([watch.expect(companyId), deliver(backendUrl, delivery)])
    }
    // The start of the thread and its first work are not part of the lag.
    await bought(first as Purchase)
    const lags: number[] = []
    await steadily(WARM_UP + count, async (n, dueMs) => {
      await bought(purchases[n] as Purchase)
      if (n >= WARM_UP) lags.push(performance.now() - dueMs)
    })
    watch.stop()
    return figuresOf(lags, bare)
  })
}

function figuresOf(lags: readonly number[], bare: readonly number[]): Figure[] {
  const of = (rank: number): Figure => {
    const [value, reference] = [percentile(lags, rank), percentile(bare, rank)]
    const name = `delivery to visible balance at ${PER_SECOND}/s, p${rank}`
    return { name, value, unit: 'ms', reference, ratio: value / reference, bound: null, met: true }
  }
  const p99 = of(99)
  const isQuick = (p99.reference ?? 0) < BARE_APPEND_MS_MAX
  const ratioMax = P99_MS_MAX / BARE_APPEND_MS_MAX
  const bounded = isQuick
    ? { ...p99, bound: `≤ ${P99_MS_MAX} ms`, met: p99.value <= P99_MS_MAX }
    : { ...p99, bound: `ratio ≤ ${ratioMax}`, met: (p99.ratio ?? 0) <= ratioMax }
  return [of(50), bounded]
}

type Purchase = { readonly purchaseId: string; readonly companyId: string; readonly userId: string }

async function startPurchase({ store }: Installation, userId: string): Promise<Purchase> {
  const purchase = { purchaseId: randomUUID(), companyId: randomUUID(), userId }
  const offer = { packId: randomUUID(), creditsMicros: '1000000', price: '10', currency: 'usd' }
  const data = { ...purchase, ...offer, startedAt: new Date().toISOString() }
  const cause = { correlationId: 'bench', causationId: 'bench', actor: { kind: 'system', name: 'bench' } } as const
  const event = newEvent(randomUUID(), { type: 'PurchaseStarted', data }, cause)
  await store.append(streamName('purchase', purchase.purchaseId), 'none', [event])
  return purchase
}

/** Sends each when it is due, even if earlier ones are not done; times count from the due time. */
async function steadily(count: number, work: (n: number, dueMs: number) => Promise<void>): Promise<void> {
  const beganMs = performance.now()
  const dueMsOf = (n: number) => beganMs + (n * 1_000) / PER_SECOND
  const begun: Promise<void>[] = []
  while (begun.length < count) {
    while (begun.length < count && dueMsOf(begun.length) <= performance.now()) {
      begun.push(work(begun.length, dueMsOf(begun.length)))
    }
    await delay(1)
  }
  await Promise.all(begun)
}

/** Polls for the rows of companies like a reader. Times are at most one poll late, never early. */
class BalanceWatch {
  readonly #expected = new Map<string, () => void>()
  #isOver = false

  constructor(engines: Installation) {
    void this.#look(engines)
  }

  expect(companyId: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => reject(new Error(`the balance of ${companyId} did not appear`)), WAIT_MS_MAX)
    this.#expected.set(companyId, () => {
      clearTimeout(timer)
      resolve()
    })
    return promise
  }

  stop(): void {
    this.#isOver = true
  }

  async #look({ database }: Installation): Promise<void> {
    while (!this.#isOver) {
      const waiting = [...this.#expected.keys()]
      const rows = await database.query<{ companyId: string }>(
        'select company_id from read_models.credit_balances where company_id = any($1) and balance_micros > 0',
        [waiting],
      )
      for (const { companyId } of rows) {
        this.#expected.get(companyId)?.()
        this.#expected.delete(companyId)
      }
      await delay(LOOK_EVERY_MS)
    }
  }
}
