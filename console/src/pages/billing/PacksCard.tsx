import { useState } from 'react'
import type { OffersQuery } from '../../graphql/generated.ts'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { microsOf } from '../../parts/values/credits.ts'
import { Money } from '../../parts/values/Money.tsx'
import { Price } from '../../parts/values/Price.tsx'
import { useSpendingRefusal } from '../../shell/useSpendingRefusal.ts'
import type { Pack } from './billingWords.ts'
import { validWords } from './lotWords.ts'
import { useCheckout } from './paymentChanges.ts'

type Props = {
  readonly packs: readonly Pack[]
  readonly terms: OffersQuery['creditPackTerms']
  readonly mayPay: boolean
}

export function PacksCard({ packs, terms, mayPay }: Props) {
  const checkout = useCheckout()
  const refusal = useSpendingRefusal()
  const [savesCard, setSavesCard] = useState(false)
  const isOpening = checkout.isPending
  const columns: Column<Pack>[] = [
    {
      id: 'name',
      header: 'Pack',
      place: 'main',
      cell: ({ id, name }) => (
        <Name name={name} validDays={terms.find(({ packId }) => packId === id)?.validDays ?? null} />
      ),
    },
    {
      id: 'credits',
      header: 'Credits',
      align: 'right',
      cell: ({ credits }) => <Money micros={microsOf(credits)} />,
    },
    {
      id: 'price',
      header: 'Price',
      align: 'right',
      cell: (pack) => <Price amount={pack.price} currency={pack.currency} />,
    },
  ]
  if (mayPay)
    columns.push({
      id: 'buy',
      header: '',
      align: 'right',
      cell: ({ id, name }) => (
        <Button
          busy={
            isOpening &&
            checkout.variables !== undefined &&
            'packId' in checkout.variables &&
            checkout.variables.packId === id
          }
          disabled={isOpening}
          refusal={refusal}
          aria-label={`Buy ${name}`}
          onClick={() => checkout.mutate({ packId: id, savePaymentMethod: savesCard })}
        >
          Buy
        </Button>
      ),
    })
  return (
    <Card title="Credit packs">
      {checkout.error ? <ErrorBox error={checkout.error} /> : null}
      {packs.length === 0 ? (
        <EmptyState title="No packs for sale">
          The operator of this installation has not put a pack on sale yet.
        </EmptyState>
      ) : (
        <>
          <Table label="Credit packs" columns={columns} rows={packs} rowId={({ id }) => id} />
          {mayPay && (
            <div className="inside">
              <label className="choice">
                <input type="checkbox" checked={savesCard} onChange={({ target }) => setSavesCard(target.checked)} />
                <span>
                  Save this card{' '}
                  <span className="muted small">
                    I agree that automatic top-up charges it later, once it is switched on below.
                  </span>
                </span>
              </label>
            </div>
          )}
        </>
      )}
    </Card>
  )
}

function Name({ name, validDays }: { readonly name: string; readonly validDays: number | null }) {
  return (
    <div>
      <strong>{name}</strong>
      {validDays !== null && <div className="muted small">valid for {validWords(validDays)}</div>}
    </div>
  )
}
