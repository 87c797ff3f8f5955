import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { microsOf } from '../../parts/values/credits.ts'
import { Money } from '../../parts/values/Money.tsx'
import { Price } from '../../parts/values/Price.tsx'
import { unusedWords, validWords } from '../billing/lotWords.ts'
import type { OfferKind } from './offerDraft.ts'

/** A pack or a plan. */
export type ShownOffer = {
  readonly id: string
  readonly name: string
  readonly credits: number
  readonly price: number
  readonly currency: string
  /** Of a pack. */
  readonly validDays?: number | null
  /** Of a plan. */
  readonly billingMode?: string
  readonly rolloverShare?: number | null
  readonly needsProviderPricing?: boolean
}

type Props = {
  readonly kind: OfferKind
  readonly offers: readonly ShownOffer[]
  readonly onRetire: (offer: ShownOffer) => void
}

export function OfferTable({ kind, offers, onRetire }: Props) {
  const isPack = kind === 'pack'
  const columns: Column<ShownOffer>[] = [
    {
      id: 'name',
      header: isPack ? 'Pack' : 'Plan',
      place: 'main',
      cell: ({ name, billingMode, needsProviderPricing }) => (
        <span className="row">
          <strong>{name}</strong>
          {billingMode === 'POSTPAID' && <Badge>by invoice</Badge>}
          {needsProviderPricing && <Badge tone="warning">no price yet</Badge>}
        </span>
      ),
    },
    { id: 'credits', header: 'Credits', align: 'right', cell: ({ credits }) => <Money micros={microsOf(credits)} /> },
    {
      id: 'lasts',
      header: isPack ? 'Valid for' : 'Unused credits',
      cell: ({ validDays = null, rolloverShare = null, billingMode }) =>
        isPack ? validWords(validDays) : billingMode === 'POSTPAID' ? '–' : unusedWords(rolloverShare),
    },
    {
      id: 'price',
      header: 'Price',
      align: 'right',
      cell: ({ price, currency }) => <Price amount={price} currency={currency} />,
    },
    {
      id: 'act',
      header: '',
      place: 'corner',
      cell: (offer) => (
        <Button kind="quiet" aria-label={`Retire ${offer.name}`} onClick={() => onRetire(offer)}>
          Retire
        </Button>
      ),
    },
  ]
  return <Table label={isPack ? 'Packs' : 'Plans'} columns={columns} rows={offers} rowId={({ id }) => id} />
}
