import { changesBalance, type LedgerEvent } from '../../contracts/events/ledger.ts'
import type { InvoiceLine, PostpaidTerms } from '../../contracts/events/postpaid.ts'
import { unexpected } from '../decider.ts'
import { deltaMicros } from '../ledger/balance.ts'
import { minorStep, minorUnits } from '../price.ts'
import { apportion } from './apportion.ts'

/** The provider accepts 250 lines on an invoice. The cheapest aliases share a line. */
const ALIAS_LINES_MAX = 200

type Line = Omit<InvoiceLine, 'creditsMicros' | 'amountMinor'> & { readonly micros: bigint }
type AliasSum = { calls: number; tokensIn: number; tokensOut: number; micros: bigint }

export type RangeBill = {
  readonly openingMicros: string
  readonly lines: InvoiceLine[]
  readonly creditsMicros: string
  readonly amountMinor: string
  readonly currency: string
  readonly carriedMicros: string
}

/**
 * What the ledger entries of a range add up to. A range begins with the credits left by the previous one. Each entry
 * counts in exactly one line, so the lines add up to what is owed: usage less prepaid credits.
 */
export class UsageRange {
  readonly #openingMicros: bigint
  readonly #aliases = new Map<string, AliasSum>()
  #grantsMicros = 0n
  #refundsMicros = 0n
  #adjustmentsMicros = 0n

  constructor(openingMicros: bigint) {
    this.#openingMicros = openingMicros
  }

  add(event: LedgerEvent): void {
    if (!changesBalance(event)) return
    switch (event.type) {
      case 'CallCharged':
        this.#count(event.data, 1, -deltaMicros(event))
        return
      case 'ChargeReversed':
        this.#count(event.data, -1, -deltaMicros(event))
        return
      case 'CreditsGranted':
      // What expired can no longer pay for usage.
      case 'CreditsExpired':
        this.#grantsMicros += deltaMicros(event)
        return
      case 'CreditsRefunded':
      case 'CreditsWithdrawn':
        this.#refundsMicros -= deltaMicros(event)
        return
      case 'CreditsReinstated':
        if (event.data.disputeId === null) this.#grantsMicros += deltaMicros(event)
        else this.#refundsMicros -= deltaMicros(event)
        return
      case 'CreditsAdjusted':
        this.#adjustmentsMicros += deltaMicros(event)
        return
      // A settlement pays for a range that was already invoiced.
      case 'InvoiceSettled':
        return
      default:
        unexpected(event)
    }
  }

  /** What is owed for usage, before prepaid credits: the charges less the reversals. */
  get usageMicros(): bigint {
    return [...this.#aliases.values()].reduce((sum, { micros }) => sum + micros, 0n)
  }

  bill(terms: PostpaidTerms): RangeBill {
    const lines = this.#lines()
    const owedMicros = lines.reduce((sum, { micros }) => sum + micros, 0n)
    const price = {
      minor: BigInt(minorUnits(terms.price, terms.currency)),
      perMicros: BigInt(terms.creditsPerPeriodMicros),
    }
    const amounts = lines.map(({ micros }) => micros)
    const { total, parts } = apportion(amounts, price, minorStep(terms.currency))
    // The credits of a free plan are owed, and settled without a payment.
    const isInvoiced = owedMicros > 0n && (total > 0n || price.minor === 0n)
    return {
      openingMicros: this.#openingMicros.toString(),
      lines: lines.map(({ micros, ...line }, index) => ({
        ...line,
        creditsMicros: micros.toString(),
        amountMinor: isInvoiced ? (parts[index] ?? 0n).toString() : '0',
      })),
      creditsMicros: isInvoiced ? owedMicros.toString() : '0',
      amountMinor: isInvoiced ? total.toString() : '0',
      currency: terms.currency,
      carriedMicros: isInvoiced ? '0' : (-owedMicros).toString(),
    }
  }

  #lines(): Line[] {
    const aliases = [...this.#aliases].toSorted(dearestFirst)
    const own = aliases.slice(0, aliases.length > ALIAS_LINES_MAX ? ALIAS_LINES_MAX - 1 : ALIAS_LINES_MAX)
    const shared = aliases.slice(own.length).map(([, sum]) => sum)
    const usage = own
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([alias, sum]): Line => ({ kind: 'USAGE', alias, ...sum }))
    if (shared.length > 0) usage.push({ kind: 'USAGE', alias: null, ...shared.reduce(plus) })
    const other = [
      otherLine('PREPAID', -this.#openingMicros - this.#grantsMicros),
      otherLine('REFUND', this.#refundsMicros),
      otherLine('ADJUSTMENT', -this.#adjustmentsMicros),
    ]
    return [...usage, ...other.filter(({ micros }) => micros !== 0n)]
  }

  #count(call: { alias: string; tokensIn: number; tokensOut: number }, sign: 1 | -1, micros: bigint): void {
    const { alias, tokensIn, tokensOut } = call
    const sum = this.#aliases.get(alias) ?? { calls: 0, tokensIn: 0, tokensOut: 0, micros: 0n }
    const counted = { calls: sign, tokensIn: sign * tokensIn, tokensOut: sign * tokensOut, micros }
    this.#aliases.set(alias, plus(sum, counted))
  }
}

function dearestFirst([name, one]: [string, AliasSum], [otherName, other]: [string, AliasSum]): number {
  if (one.micros === other.micros) return name < otherName ? -1 : 1
  return one.micros < other.micros ? 1 : -1
}

function plus(one: AliasSum, other: AliasSum): AliasSum {
  return {
    calls: one.calls + other.calls,
    tokensIn: one.tokensIn + other.tokensIn,
    tokensOut: one.tokensOut + other.tokensOut,
    micros: one.micros + other.micros,
  }
}

function otherLine(kind: Exclude<InvoiceLine['kind'], 'USAGE'>, micros: bigint): Line {
  return { kind, alias: null, calls: 0, tokensIn: 0, tokensOut: 0, micros }
}
