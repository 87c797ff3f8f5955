import { grouped, ofCategory, type StoredEvent } from './events.ts'

type Taken = { readonly grantId: string; grantedMicros: bigint; readonly by: Map<string, bigint> }

/**
 * At every entry of a ledger, whichever is the last one: of each grant, refunds, corrections and disputes have taken no less
 * than nothing and together no more than was granted. So a return follows what it returns, and both follow the grant.
 */
export function takenWrong(events: readonly StoredEvent[]): string | null {
  for (const [stream, own] of grouped(ofCategory(events, 'ledger'), (event) => event.stream)) {
    const found = ledgerWrong(own)
    if (found !== null) return `${stream}: ${found}`
  }
  return null
}

function ledgerWrong(own: readonly StoredEvent[]): string | null {
  const grants = new Map<string, Taken>()
  /** What an entry that may be corrected has taken or given, by its event. */
  const entries = new Map<string, { readonly grantId: string; readonly by: string }>()
  for (const event of own) {
    if (event.type === 'CreditsGranted') {
      const { grantId, amountMicros } = event.data
      grants.set(grantId, { grantId, grantedMicros: BigInt(amountMicros), by: new Map() })
      entries.set(event.id, { grantId, by: 'corrections' })
      continue
    }
    const change = changeOf(event, entries)
    if (!change) continue
    const { by, micros, grantId } = change
    const grant = grants.get(grantId)
    if (!grant) return `${event.type} ${event.id} concerns grant ${grantId}, which is not on the ledger before it`
    if (event.type === 'CreditsRefunded') entries.set(event.id, { grantId, by })
    grant.by.set(by, (grant.by.get(by) ?? 0n) + micros)
    const found = grantWrong(grant)
    if (found !== null) return `at ${event.type} ${event.id}, ${found}`
  }
  return null
}

type Change = { readonly grantId: string; readonly by: string; readonly micros: bigint }

function changeOf(event: StoredEvent, entries: ReadonlyMap<string, Omit<Change, 'micros'>>): Change | null {
  switch (event.type) {
    case 'CreditsRefunded': {
      const { grantId, refundId, amountMicros } = event.data
      return grantId === null ? null : { grantId, by: `refund ${refundId}`, micros: BigInt(amountMicros) }
    }
    case 'CreditsWithdrawn': {
      const { grantId, disputeId, amountMicros } = event.data
      return { grantId, by: `dispute ${disputeId}`, micros: BigInt(amountMicros) }
    }
    case 'CreditsReinstated': {
      const { grantId, disputeId, amountMicros } = event.data
      return disputeId === null ? null : { grantId, by: `dispute ${disputeId}`, micros: -BigInt(amountMicros) }
    }
    case 'CreditsAdjusted': {
      const { corrects, amountMicros } = event.data
      const entry = corrects === null ? undefined : entries.get(corrects)
      return entry ? { ...entry, micros: -BigInt(amountMicros) } : null
    }
    default:
      return null
  }
}

function grantWrong({ grantId, grantedMicros, by }: Taken): string | null {
  let taken = 0n
  for (const [name, micros] of by) {
    if (micros < 0n) return `${name} has given back ${-micros} more of grant ${grantId} than it took`
    taken += micros
  }
  return taken > grantedMicros ? `${taken} are taken of the ${grantedMicros} of grant ${grantId}` : null
}
