import { type ReactNode, useState } from 'react'
import { useChange } from '../../api/useChange.ts'
import {
  CreatePackDocument,
  CreatePlanDocument,
  OffersForSaleDocument,
  type OffersForSaleQuery,
  PricePlansDocument,
  RetirePackDocument,
  RetirePlanDocument,
} from '../../graphql/generated.ts'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { PLATFORM, usePlatformQuery } from '../../shell/platform.ts'
import { OfferDialog } from './OfferDialog.tsx'
import { OfferTable, type ShownOffer } from './OfferTable.tsx'
import { nextPlace, type OfferKind, packInput, planInput } from './offerDraft.ts'

/** The query of the packs and plans that companies see under Billing. */
const OFFERS = 'offers'

/** The packs and plans for sale. */
export function OfferCards() {
  const offers = usePlatformQuery(OffersForSaleDocument, {})
  if (offers.error) return <ErrorBox error={offers.error} onRetry={() => void offers.refetch()} />
  if (!offers.data) {
    return (
      <Card title="Credit packs and plans">
        <Skeleton lines={4} />
      </Card>
    )
  }
  return (
    <>
      <Packs offers={offers.data} />
      <Plans offers={offers.data} />
    </>
  )
}

type Props = { readonly offers: OffersForSaleQuery }

function Packs({ offers: { creditPacks, creditPackTerms } }: Props) {
  const create = useChange(CreatePackDocument, PLATFORM, OFFERS)
  const retire = useChange(RetirePackDocument, PLATFORM, OFFERS)
  const [isCreating, setCreating] = useState(false)
  const validDays = new Map(creditPackTerms.map((terms) => [terms.packId, terms.validDays]))
  const close = () => setCreating(false)
  return (
    <Offers
      kind="pack"
      offers={creditPacks.map((pack) => ({ ...pack, validDays: validDays.get(pack.id) ?? null }))}
      retire={{ ...retire, run: (id, onSuccess) => retire.mutate({ id }, { onSuccess }) }}
      onCreate={() => setCreating(true)}
    >
      {isCreating && (
        <OfferDialog
          kind="pack"
          change={create}
          onSubmit={(draft) => create.mutate({ input: packInput(draft, nextPlace(creditPacks)) }, { onSuccess: close })}
          onClose={close}
        />
      )}
    </Offers>
  )
}

function Plans({ offers: { plans } }: Props) {
  const create = useChange(CreatePlanDocument, PLATFORM, OFFERS)
  const price = useChange(PricePlansDocument, PLATFORM, OFFERS)
  const retire = useChange(RetirePlanDocument, PLATFORM, OFFERS)
  const [isCreating, setCreating] = useState(false)
  const active = plans.filter((plan) => plan.active)
  const close = () => setCreating(false)
  const created = () => {
    close()
    // A plan can be bought once it has a price at the payment provider.
    price.mutate({})
  }
  return (
    <Offers
      kind="plan"
      offers={active.map(({ creditsPerPeriod: credits, ...plan }) => ({ ...plan, credits }))}
      retire={{ ...retire, run: (id, onSuccess) => retire.mutate({ id }, { onSuccess }) }}
      onCreate={() => setCreating(true)}
    >
      {price.error ? <ErrorBox error={price.error} onRetry={() => price.mutate({})} /> : null}
      {!price.error && active.some(({ needsProviderPricing }) => needsProviderPricing) && (
        <div className="inside spread">
          <p>A plan without a price at the payment provider cannot be bought.</p>
          <Button busy={price.isPending} onClick={() => price.mutate({})}>
            Create the prices
          </Button>
        </div>
      )}
      {isCreating && (
        <OfferDialog
          kind="plan"
          change={create}
          onSubmit={(draft) => create.mutate({ input: planInput(draft, nextPlace(active)) }, { onSuccess: created })}
          onClose={close}
        />
      )}
    </Offers>
  )
}

type OffersProps = {
  readonly kind: OfferKind
  readonly offers: readonly ShownOffer[]
  readonly retire: {
    readonly isPending: boolean
    readonly error: unknown
    readonly run: (id: string, onSuccess: () => void) => void
  }
  readonly onCreate: () => void
  readonly children: ReactNode
}

function Offers({ kind, offers, retire, onCreate, children }: OffersProps) {
  const [retiring, setRetiring] = useState<ShownOffer | null>(null)
  const close = () => setRetiring(null)
  const isPack = kind === 'pack'
  return (
    <Card
      title={isPack ? 'Credit packs for sale' : 'Plans for sale'}
      action={<Button onClick={onCreate}>{isPack ? 'New pack' : 'New plan'}</Button>}
    >
      {offers.length === 0 ? (
        <EmptyState title={isPack ? 'No packs for sale' : 'No plans for sale'}>
          {isPack ? 'Companies buy credits once with a pack.' : 'Companies subscribe to a plan, or are invoiced by it.'}
        </EmptyState>
      ) : (
        <OfferTable kind={kind} offers={offers} onRetire={setRetiring} />
      )}
      {children}
      {retiring && (
        <ConfirmDialog
          title={`Retire “${retiring.name}”?`}
          action="Retire"
          danger
          change={retire}
          onConfirm={() => retire.run(retiring.id, close)}
          onClose={close}
        >
          <p>
            {isPack
              ? 'It is no longer for sale. Checkout pages that are open can still be paid.'
              : 'It is no longer for sale. Its subscribers keep it, and it is renewed.'}
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
