import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/apiError.ts'
import { nowMs } from '../../api/now.ts'
import {
  AllCompaniesDocument,
  PriceBooksDocument,
  PricesInForceDocument,
  RoutedAliasesDocument,
} from '../../graphql/generated.ts'
import { Banner } from '../../parts/Banner.tsx'
import { Card } from '../../parts/Card.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { SelectField } from '../../parts/Field.tsx'
import { FILTERED_ROWS_MIN, NameFilter } from '../../parts/NameFilter.tsx'
import { Page } from '../../parts/Page.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { hasPart } from '../../parts/values/hasPart.ts'
import { Time } from '../../parts/values/Time.tsx'
import { usePlatformQuery } from '../../shell/platform.ts'
import { AddAlias } from './AddAlias.tsx'
import { ChangesCard, type Published } from './ChangesCard.tsx'
import { ClockHint } from './ClockHint.tsx'
import { gridRows } from './gridRows.ts'
import { HistoryCard } from './HistoryCard.tsx'
import { laterPrices, msUntilPricesChange } from './laterPrices.ts'
import { OfferCards } from './OfferCards.tsx'
import { PriceGrid } from './PriceGrid.tsx'
import { bookOf, type Draft, edited, faultsIn } from './priceDraft.ts'

const route = getRouteApi('/shell/prices')
const NOTHING: Draft = new Map()

export function PricesPage() {
  const { of = null } = route.useSearch()
  const navigate = route.useNavigate()
  const [draft, setDraft] = useState(NOTHING)
  const [added, setAdded] = useState<readonly string[]>([])
  const [showFaults, setShowFaults] = useState(false)
  const [filter, setFilter] = useState('')
  const [published, setPublished] = useState<Published | null>(null)
  const books = usePlatformQuery(PriceBooksDocument, {})
  // New prices take effect a few seconds after they are published, while the page is still open.
  const refetchInterval = () => msUntilPricesChange(books.data?.priceBooks ?? [], of, nowMs())
  const prices = usePlatformQuery(PricesInForceDocument, { companyId: of }, { refetchInterval })
  const models = usePlatformQuery(RoutedAliasesDocument, {})
  const companies = usePlatformQuery(AllCompaniesDocument, {})
  // A new installation has no price book, which is not an error.
  const isNone = prices.error instanceof ApiError && prices.error.code === 'NOT_FOUND'
  const error = (isNone ? null : prices.error) ?? books.error ?? models.error
  const isLoaded = (prices.data !== undefined || isNone) && books.data !== undefined && models.data !== undefined
  const inForce = prices.data?.priceBook.prices ?? []
  const rows = gridRows({
    prices: inForce,
    models: models.data?.models ?? [],
    books: books.data?.priceBooks ?? [],
    added,
    companyId: of,
  })
  const unpriced = rows.filter(({ price, alias }) => !price && !added.includes(alias))
  const [later] = laterPrices(books.data?.priceBooks ?? [], {
    ...{ aliases: unpriced.map(({ alias }) => alias), companyId: of, nowMs: nowMs() },
  })
  const companyName = (id: string) => companies.data?.companies.find((one) => one.id === id)?.name ?? id.slice(0, 8)
  const reset = () => {
    setDraft(NOTHING)
    setAdded([])
    setShowFaults(false)
  }
  const pick = (id: string) => {
    reset()
    setPublished(null)
    void navigate({ search: (before) => ({ ...before, of: id || undefined }), replace: true })
  }
  const isFaulty = [...draft.values()].some((edit) => faultsIn(edit).size > 0)
  const check = () => {
    // A faulty cell must not be hidden.
    if (isFaulty) setFilter('')
    setShowFaults(true)
    return !isFaulty
  }
  return (
    <Page
      title="Prices"
      description="Credits per million tokens and per call, and below All kinds what else can be charged. Edit cells, preview and publish the changes."
    >
      <div className="filters">
        <SelectField
          label="Prices of"
          value={of ?? ''}
          onPick={pick}
          options={[
            { value: '', label: 'All companies' },
            ...(companies.data?.companies ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
        <AddAlias onAdd={(alias) => setAdded((before) => [...before, alias])} />
      </div>
      {published && <Outcome of={published} />}
      {unpriced.length > 0 && (
        <Banner kind="warning">
          <strong>
            {unpriced.length} {unpriced.length === 1 ? 'alias has' : 'aliases have'} a provider and no price
          </strong>
          , and cannot be called: {unpriced.map(({ alias }) => alias).join(', ')}.
          {later && (
            <>
              <br />
              The price of {later.alias} <ClockHint from={later.from} />. If the clock is wrong, correct it.
            </>
          )}
        </Banner>
      )}
      {error && (
        <ErrorBox
          error={error}
          onRetry={() => void Promise.all([prices.refetch(), books.refetch(), models.refetch()])}
        />
      )}
      {rows.length >= FILTERED_ROWS_MIN && (
        <NameFilter label="Alias" placeholder="Part of the name" value={filter} onChange={setFilter} />
      )}
      <Card title={of === null ? 'Prices in force' : `Prices in force for ${companyName(of)}`}>
        {!isLoaded && !error && <Skeleton lines={8} />}
        {isLoaded && rows.length === 0 && (
          <EmptyState title="No prices yet">
            Add the alias of a model above and give it a price. Models without a price cannot be called.
          </EmptyState>
        )}
        {isLoaded && rows.length > 0 && (
          <PriceGrid
            rows={rows.filter(({ alias }) => hasPart(alias, filter))}
            draft={draft}
            showFaults={showFaults}
            ofCompany={of !== null}
            onEdit={({ alias, price }, edit) => setDraft((before) => edited(before, alias, edit, price))}
          />
        )}
      </Card>
      {showFaults && isFaulty && (
        <Banner kind="danger">
          Input and output need a price, and a price is a number with up to six decimals, for one unit with up to
          twelve. Correct the marked cells.
        </Banner>
      )}
      {draft.size > 0 && (
        <ChangesCard
          book={bookOf(draft, of)}
          whose={of === null ? 'all companies' : companyName(of)}
          onCheck={check}
          onDiscard={reset}
          onPublished={(book) => {
            reset()
            setPublished(book)
          }}
        />
      )}
      {books.data && books.data.priceBooks.length > 0 && (
        <HistoryCard books={books.data.priceBooks} companyName={companyName} />
      )}
      <OfferCards />
    </Page>
  )
}

function Outcome({ of: { effectiveFrom, hints } }: { readonly of: Published }) {
  return (
    <>
      <Banner kind="good">
        <strong>Published.</strong> In force from <Time at={effectiveFrom} />.
      </Banner>
      {hints.map((hint) => (
        <Banner key={hint} kind="warning">
          {hint}
        </Banner>
      ))}
    </>
  )
}
