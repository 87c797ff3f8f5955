import type { Simulation } from '../simulation.ts'
import type { Checker } from '../world.ts'
import { chargeWrong } from './chargeLines.ts'
import { grouped, only, type StoredEvent, storedEvents } from './events.ts'
import { type LedgerEvent, ledgerEvents, movementOf } from './folds/ledger.ts'

/** What docs/auditors.md says of the entries of a ledger, whatever the callers were answered. */
export function ledger({ pglite }: Simulation): Checker {
  return {
    invariant: 'entries of ledgers are right',
    end: () => ledgersWrong(storedEvents(pglite)),
  }
}

export function ledgersWrong(events: readonly StoredEvent[]): string | null {
  for (const [stream, own] of grouped(ledgerEvents(events), (event) => event.stream)) {
    const found = callsWrong(own) ?? correctionsWrong(own) ?? placesWrong(own, stream)
    if (found !== null) return `${stream}: ${found}`
  }
  return null
}

/** A call is charged or it failed, once; a charge is what its tokens and units cost, and is reversed at most once, whole. */
function callsWrong(own: readonly LedgerEvent[]): string | null {
  const events = own as readonly StoredEvent[]
  const ended = new Map<string, string>()
  for (const event of only(events, 'CallCharged', 'CallFailed')) {
    const { callId } = event.data
    if (event.id !== callId) return `call ${callId} has ended by event ${event.id}`
    if (ended.has(callId)) return `call ${callId} has ended twice`
    ended.set(callId, event.type === 'CallCharged' ? event.data.amountMicros : '')
    if (event.type !== 'CallCharged') continue
    const wrong = chargeWrong(event.data)
    if (wrong !== null) return `call ${callId} ${wrong}`
  }
  const reversed = new Set<string>()
  for (const { data } of only(events, 'ChargeReversed')) {
    if (reversed.has(data.callId)) return `call ${data.callId} is reversed twice`
    reversed.add(data.callId)
    if (ended.get(data.callId) !== data.amountMicros) return `call ${data.callId} is reversed with ${data.amountMicros}`
  }
  return null
}

/** After its corrections, including a reversal, an entry is worth between nothing and its original amount. */
function correctionsWrong(own: readonly LedgerEvent[]): string | null {
  const entries = new Map(
    own.map((event) => [event.id, { first: movementOf(event).delta, now: movementOf(event).delta }]),
  )
  const numbers = new Set<string>()
  for (const event of own) {
    if (event.type === 'ChargeReversed') {
      const entry = entries.get(event.data.callId)
      if (entry) entry.now += movementOf(event).delta
    }
    if (event.type !== 'CreditsAdjusted' || event.data.corrects === null) continue
    const { corrects, correction } = event.data
    if (numbers.has(`${corrects} ${correction}`)) return `${corrects} has two corrections ${correction}`
    numbers.add(`${corrects} ${correction}`)
    const entry = entries.get(corrects)
    if (!entry) return `${event.id} corrects ${corrects}, which the ledger does not have`
    entry.now += movementOf(event).delta
  }
  for (const [id, { first, now }] of entries) {
    const [least, most] = first < 0n ? [first, 0n] : [0n, first]
    if (now < least || now > most) return `${id} of ${first} is worth ${now} after its corrections`
  }
  return null
}

/** Revisions have no gaps, and every entry is about the company of the ledger. */
function placesWrong(own: readonly LedgerEvent[], stream: string): string | null {
  const wrong = own.find(({ revision, data }, at) => revision !== at || stream !== `ledger-${data.companyId}`)
  return wrong ? `${wrong.id} is at revision ${wrong.revision} for company ${wrong.data.companyId}` : null
}
