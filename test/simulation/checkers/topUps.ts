import type { PaymentParty } from '../parties/payments/paymentParty.ts'
import type { Simulation } from '../simulation.ts'
import type { Checker } from '../world.ts'
import { type EventNamed, grouped, ofCategory, type StoredEvent, storedEvents } from './events.ts'
import { paymentsWrong, type TopUpPayment } from './topUpPayments.ts'

const DECLINES_MAX = 3

/** Automatic top-up keeps its limits, and each attempt is one payment and one grant at most. */
export function topUps({ pglite }: Simulation, party: PaymentParty): Checker {
  return {
    invariant: 'an automatic top-up is one payment and one grant, within its limits',
    end: () => {
      const events = storedEvents(pglite)
      return topUpsWrong(events) ?? paymentsWrong(events, paymentsOf(party))
    },
  }
}

function paymentsOf({ state }: PaymentParty): TopUpPayment[] {
  return state.all('paymentIntent').flatMap((intent): TopUpPayment[] => {
    const { topUpAttemptId: attemptId, companyId } = intent.metadata
    if (!attemptId || !companyId) return []
    const isPaid = intent.status === 'succeeded'
    return [{ id: intent.id, attemptId, companyId, isPaid, minor: intent.amount, atMs: Number(intent.created) * 1_000 }]
  })
}

type Started = EventNamed<'TopUpStarted'>['data']
type Attempt = { readonly started: Started; status: 'running' | 'paid' | 'failed' }

/** What is known of the top-up of one company at a moment. */
class Life {
  settings: EventNamed<'TopUpSet'>['data'] | null = null
  isOn = false
  /** Three declines have to switch it off at once. */
  mustEnd = false
  declines = 0
  hasMethod = false
  /** Method or settings have changed since the last attempt failed. */
  hasChanged = false
  readonly attempts: Attempt[] = []

  get last(): Attempt | undefined {
    return this.attempts.at(-1)
  }
}

export function topUpsWrong(events: readonly StoredEvent[]): string | null {
  for (const [stream, own] of grouped(ofCategory(events, 'topUp'), (event) => event.stream)) {
    const life = new Life()
    for (const event of own) {
      if (life.mustEnd && event.type !== 'TopUpSwitchedOff') return `${stream} stays on after ${life.declines} declines`
      const found = happened(life, event)
      if (found !== null) return `${stream}, event ${event.id}: ${found}`
    }
    if (life.mustEnd) return `${stream} stays on after ${life.declines} declines`
    if (life.last?.status === 'running') return `${stream}: attempt ${life.last.started.attemptId} has not ended`
  }
  return null
}

function happened(life: Life, event: StoredEvent): string | null {
  switch (event.type) {
    case 'TopUpMethodSaved':
      life.hasMethod = true
      life.hasChanged ||= life.last?.status === 'failed'
      return null
    case 'TopUpMethodRemoved':
      life.hasMethod = false
      return null
    case 'TopUpSet':
      Object.assign(life, { settings: event.data, isOn: true, declines: 0 })
      life.hasChanged ||= life.last?.status === 'failed'
      return null
    case 'TopUpSwitchedOff': {
      const isEarly = event.data.reason === 'DECLINED' && life.declines < DECLINES_MAX
      Object.assign(life, { isOn: false, mustEnd: false })
      return isEarly ? `it is switched off after ${life.declines} declines` : null
    }
    case 'TopUpStarted': {
      const found = startWrong(life, event.data)
      life.attempts.push({ started: event.data, status: 'running' })
      life.hasChanged = false
      return found
    }
    case 'TopUpSucceeded':
      life.declines = 0
      return ended(life, event.data.attemptId, 'paid')
    case 'TopUpDeclined':
      life.declines += 1
      life.mustEnd = life.isOn && life.declines >= DECLINES_MAX
      return ended(life, event.data.attemptId, 'failed')
    case 'TopUpGivenUp':
      return ended(life, event.data.attemptId, 'failed')
    default:
      return null
  }
}

function startWrong({ settings, isOn, hasMethod, hasChanged, last, attempts }: Life, started: Started): string | null {
  if (!settings || !isOn || !hasMethod) return 'an attempt starts although top-up is off'
  if (last?.status === 'running') return `an attempt starts beside ${last.started.attemptId}`
  if (BigInt(started.balanceMicros) >= BigInt(settings.thresholdMicros)) return 'the balance is not below the threshold'
  if (started.packId !== settings.packId) return `pack ${started.packId} is bought`
  if (last && BigInt(started.grantsMicros) <= BigInt(last.started.grantsMicros) && !hasChanged) {
    return `the fall of attempt ${last.started.attemptId} is tried again`
  }
  const month = started.startedAt.slice(0, 7)
  const spent = attempts
    .filter(({ status, started: { startedAt } }) => status !== 'failed' && startedAt.slice(0, 7) === month)
    .reduce((sum, one) => sum + BigInt(one.started.amountMinor), 0n)
  const sum = spent + BigInt(started.amountMinor)
  return sum <= BigInt(settings.ceilingMinor)
    ? null
    : `${sum} exceed the ceiling of ${settings.ceilingMinor} in ${month}`
}

/** A payment counts whenever it arrives; nothing else happens to an attempt that has ended. */
function ended({ attempts }: Life, attemptId: string, status: 'paid' | 'failed'): string | null {
  const attempt = attempts.find(({ started }) => started.attemptId === attemptId)
  if (!attempt) return `attempt ${attemptId} was not started`
  if (attempt.status !== 'running' && (status === 'failed' || attempt.status === 'paid')) {
    return `attempt ${attemptId} was ${attempt.status} before`
  }
  attempt.status = status
  return null
}
