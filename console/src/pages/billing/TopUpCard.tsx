import { useState } from 'react'
import { sentence } from '../../api/execute.ts'
import { useChange } from '../../api/useChange.ts'
import { SetTopUpDocument, TopUpDocument } from '../../graphql/generated.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { microsOf } from '../../parts/values/credits.ts'
import { Money } from '../../parts/values/Money.tsx'
import { Price } from '../../parts/values/Price.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { useCompanyQuery } from '../../shell/viewer.ts'
import type { Pack } from './billingWords.ts'
import { TopUpForm } from './TopUpForm.tsx'
import { ATTEMPT, lastFailure, stateWords, type TopUp, type TopUpAttempt } from './topUpWords.ts'

/** How often the attempts are refetched. */
const LIVE_MS = 5_000

/** Automatic top-up: its state, its settings, and the last attempts with why the last one failed. */
export function TopUpCard({ packs, mayPay }: { readonly packs: readonly Pack[]; readonly mayPay: boolean }) {
  const { data, error } = useCompanyQuery(TopUpDocument, {}, { refetchInterval: LIVE_MS })
  const topUp = data?.topUp
  return (
    <Card title="Automatic top-up">
      {error && !topUp && <ErrorBox error={error} />}
      {!topUp && !error && <Skeleton lines={3} />}
      {topUp && (
        <>
          <div className="inside stack">
            <State topUp={topUp} packs={packs} mayPay={mayPay} />
            {mayPay && topUp.hasPaymentMethod && (
              <TopUpForm
                key={`${topUp.enabled} ${topUp.thresholdCredits} ${topUp.packId}`}
                topUp={topUp}
                packs={packs}
              />
            )}
          </div>
          {topUp.attempts.length > 0 && <Attempts attempts={topUp.attempts} />}
        </>
      )}
    </Card>
  )
}

type StateProps = { readonly topUp: TopUp; readonly packs: readonly Pack[]; readonly mayPay: boolean }

function State({ topUp, packs, mayPay }: StateProps) {
  const switchOff = useChange(SetTopUpDocument, 'company')
  const failure = lastFailure(topUp)
  return (
    <>
      <div className="spread">
        <p>
          <Badge tone={topUp.enabled && !topUp.heldBecause ? 'good' : 'plain'}>{topUp.enabled ? 'On' : 'Off'}</Badge>{' '}
          {stateWords(topUp)}
        </p>
        {mayPay && topUp.enabled && (
          <Button busy={switchOff.isPending} onClick={() => switchOff.mutate({ input: { enabled: false } })}>
            Switch off
          </Button>
        )}
        {mayPay && !topUp.enabled && topUp.hasPaymentMethod && <RemoveCard />}
      </div>
      {switchOff.error ? <ErrorBox error={switchOff.error} /> : null}
      {failure && (
        <p>
          <strong>The last attempt failed:</strong> {sentence(failure)}
        </p>
      )}
      <Settings of={topUp} packs={packs} />
    </>
  )
}

/** Takes back the consent to later payments. */
function RemoveCard() {
  const remove = useChange(SetTopUpDocument, 'company')
  const [isConfirming, setConfirming] = useState(false)
  const close = () => setConfirming(false)
  const input = { enabled: false, removePaymentMethod: true }
  return (
    <>
      <Button onClick={() => setConfirming(true)}>Remove the card</Button>
      {isConfirming && (
        <ConfirmDialog
          title="Remove the saved card?"
          action="Remove it"
          danger
          change={remove}
          onConfirm={() => remove.mutate({ input }, { onSuccess: close })}
          onClose={close}
        >
          <p>Automatic top-up can no longer charge it. To use top-up again, save a card at the checkout of a pack.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Also for those who may not change them. */
function Settings({ of: topUp, packs }: { readonly of: TopUp; readonly packs: readonly Pack[] }) {
  const { thresholdCredits, packId, monthlyCeiling, currency, spentThisMonth } = topUp
  if (thresholdCredits === null || monthlyCeiling === null || currency === null) return null
  const pack = packs.find(({ id }) => id === packId)
  return (
    <p className="muted small">
      Below <Money micros={microsOf(thresholdCredits)} /> credits, {pack ? `“${pack.name}”` : 'a former pack'} is bought
      {pack && (
        <>
          {' '}
          for <Price amount={pack.price} currency={pack.currency} />
        </>
      )}
      . <Price amount={spentThisMonth} currency={currency} /> of <Price amount={monthlyCeiling} currency={currency} />{' '}
      are used in this month (UTC).
    </p>
  )
}

function Attempts({ attempts }: { readonly attempts: readonly TopUpAttempt[] }) {
  const columns: Column<TopUpAttempt>[] = [
    { id: 'started', header: 'Started', place: 'main', cell: ({ startedAt }) => <Time at={startedAt} relative /> },
    {
      id: 'status',
      header: 'State',
      place: 'corner',
      cell: ({ status }) => <Badge tone={ATTEMPT[status].tone}>{ATTEMPT[status].name}</Badge>,
    },
    { id: 'credits', header: 'Credits', align: 'right', cell: ({ credits }) => <Money micros={microsOf(credits)} /> },
    {
      id: 'price',
      header: 'Price',
      align: 'right',
      cell: ({ price, currency }) => <Price amount={price} currency={currency} />,
    },
    { id: 'reason', header: 'Outcome', cell: (attempt) => <Outcome of={attempt} /> },
  ]
  return <Table label="Attempts of automatic top-up" columns={columns} rows={attempts} rowId={({ id }) => id} />
}

function Outcome({ of: { reason, confirmUrl, confirmBy } }: { readonly of: TopUpAttempt }) {
  if (confirmUrl === null) return <span className="muted small">{reason ? sentence(reason) : '–'}</span>
  return (
    <span className="row end">
      {confirmBy && (
        <span className="muted small">
          until <Time at={confirmBy} />
        </span>
      )}
      <a className="button" href={confirmUrl} rel="noreferrer">
        Confirm the payment
      </a>
    </span>
  )
}
