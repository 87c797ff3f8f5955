import type { LotsChanges } from '../../domain/creditLots/creditLots.ts'
import type { CorrectableEntry } from '../../domain/creditLots/ledgerFacts.ts'

/** What a batch of events has changed of the lots of one company. */
export type CompanyChanges = Omit<LotsChanges, 'lots'> & {
  readonly companyId: string
  readonly revision: number
  readonly debtMicros: bigint
  readonly lots: readonly (LotsChanges['lots'][number] & { readonly leftMicros: bigint })[]
}

export type LotBookChanges = {
  readonly companies: readonly CompanyChanges[]
  readonly entries: readonly { readonly eventId: string; readonly entry: CorrectableEntry }[]
}
