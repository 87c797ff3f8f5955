export type LotTerms = {
  readonly lotId: string
  /** Higher ones are burned first. */
  readonly priority: number
  readonly expiresMs: number | null
}

/** A part of a lot that a call, a refund beyond its lot, or the lack of another lot uses. Numbers follow their age. */
export type Use = { readonly use: string; readonly number: number; micros: bigint }

export class Lot {
  readonly lotId: string
  readonly priority: number
  readonly expiresMs: number | null
  readonly age: number
  granted = 0n
  /** Of which nothing has been given back yet. */
  expired = 0n
  /** Written off as expired although something has used it. */
  owed = 0n
  readonly takenFor = new Map<string, bigint>()
  uses: Use[] = []
  /** What the ledger says of it, in its order. */
  readonly expiries: bigint[] = []
  readonly reinstated: bigint[] = []

  constructor({ lotId, priority, expiresMs }: LotTerms, age: number) {
    this.lotId = lotId
    this.priority = priority
    this.expiresMs = expiresMs
    this.age = age
  }

  isValidAt(atMs: number): boolean {
    return this.expiresMs === null || this.expiresMs > atMs
  }

  get spent(): bigint {
    return sumOf(this.uses.map(({ micros }) => micros))
  }

  get taken(): bigint {
    return sumOf(this.takenFor.values())
  }

  get free(): bigint {
    const rest = this.granted - this.taken - this.expired - this.spent
    return rest > 0n ? rest : 0n
  }

  get lacking(): bigint {
    const rest = this.spent + this.taken + this.expired - this.granted
    return rest > 0n ? rest : 0n
  }
}

/** The order of burning: by priority, then by expiry, then by age. */
export function burnedFirst(one: Lot, other: Lot): number {
  if (one.priority !== other.priority) return other.priority - one.priority
  const [expires, otherExpires] = [one.expiresMs ?? Number.MAX_VALUE, other.expiresMs ?? Number.MAX_VALUE]
  return expires === otherExpires ? one.age - other.age : expires - otherExpires
}

export function sumOf(amounts: Iterable<bigint>): bigint {
  let sum = 0n
  for (const amount of amounts) sum += amount
  return sum
}

export function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
