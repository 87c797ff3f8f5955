import { randomUUID } from 'node:crypto'
import type { Pace } from '../benchCommand.ts'
import { aCharge } from '../benchDatabase.ts'
import { type Figure, pairedFigure } from '../figure.ts'
import { deliver, paidCheckout } from './deliveries.ts'
import { withPaymentInstallation } from './paymentInstallation.ts'

const SENDERS = 50
const USERS = 20

/** Measures deliveries per second, each durable before its response, compared with bare appends by as many callers. */
export function benchThroughput({ isShort }: Pace): Promise<Figure[]> {
  const [rounds, roundMs] = isShort ? [2, 1_000] : [5, 3_000]
  return withPaymentInstallation(async ({ runtime, backendUrl }) => {
    const users = Array.from({ length: USERS }, () => randomUUID())
    const userOf = (n: number) => users[n % USERS] as string
    const { webhookSecret } = runtime.secrets
    const company = randomUUID()
    const send = (n: number) => deliver(backendUrl, paidCheckout(randomUUID(), userOf(n), webhookSecret))
    const append = async () => {
      await runtime.engines.store.append(`ledger-${company}`, 'any', [aCharge(company, company, 0)])
    }
    await rate(send, roundMs)
    const deliveries: number[] = []
    const appends: number[] = []
    for (let round = 0; round < rounds; round++) {
      appends.push(await rate(append, roundMs))
      deliveries.push(await rate(send, roundMs))
    }
    return [pairedFigure(`deliveries, ${SENDERS} senders`, 'deliveries/s', deliveries, appends)]
  })
}

async function rate(work: (n: number) => Promise<void>, ms: number): Promise<number> {
  const began = performance.now()
  let done = 0
  const sender = async () => {
    while (performance.now() - began < ms) await work(done++)
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
  return done / ((performance.now() - began) / 1_000)
}
