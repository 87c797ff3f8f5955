import type { LotFact, TakenBy } from '../../../domain/creditLots/facts.ts'

type Granted = Extract<LotFact, { type: 'granted' }>

/** Facts of ledgers whose clock counts small numbers. */
export function granted(lotId: string, amountMicros: bigint, terms: Partial<Granted> = {}): Granted {
  const ordinary = { source: 'PACK_PURCHASE', priority: 0, expiresAtMs: null, atMs: 0 } as const
  return { type: 'granted', lotId, amountMicros, ...ordinary, ...terms }
}

export function charged(chargeId: string, amountMicros: bigint, admittedAtMs = 1, atMs = admittedAtMs): LotFact {
  return { type: 'charged', chargeId, amountMicros, admittedAtMs, atMs }
}

export function reversed(chargeId: string, amountMicros: bigint, atMs = 2): LotFact {
  return { type: 'reversed', chargeId, amountMicros, atMs }
}

export function taken(by: TakenBy, lotId: string, amountMicros: bigint, atMs = 2): LotFact {
  return { type: 'taken', by, takingId: `${by} of ${lotId}`, lotId, amountMicros, atMs }
}

export function returned(by: TakenBy, lotId: string, amountMicros: bigint, atMs = 3): LotFact {
  return { type: 'returned', by, takingId: `${by} of ${lotId}`, lotId, amountMicros, atMs }
}

export function expired(lotId: string, amountMicros: bigint, atMs = 20): LotFact {
  return { type: 'expired', lotId, amountMicros, atMs }
}

export function expiryGivenBack(lotId: string, amountMicros: bigint, atMs = 21): LotFact {
  return { type: 'expiryGivenBack', lotId, amountMicros, atMs }
}
