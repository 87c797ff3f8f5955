import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { lastDays, nowMs } from '../../api/now.ts'
import { MarginDocument, ModelsDocument, PriceBooksDocument } from '../../graphql/generated.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { FILTERED_ROWS_MIN, NameFilter } from '../../parts/NameFilter.tsx'
import { Page } from '../../parts/Page.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { plainCredits } from '../../parts/values/credits.ts'
import { hasPart } from '../../parts/values/hasPart.ts'
import { Money } from '../../parts/values/Money.tsx'
import { usePlatformQuery } from '../../shell/platform.ts'
import { ClockHint } from '../prices/ClockHint.tsx'
import { laterPrices } from '../prices/laterPrices.ts'
import { editOf, othersIn } from '../prices/priceDraft.ts'
import { type Margin, type Model, marginByAlias } from './modelWords.ts'
import { ProviderTable } from './ProviderTable.tsx'

const DAYS = 30
const PAGE_CARDS = 20
/** Gateways report their figures every few seconds. */
const LIVE_MS = 5_000

export function ModelsPage() {
  const [cards, setCards] = useState(PAGE_CARDS)
  const [filter, setFilter] = useState('')
  const models = usePlatformQuery(ModelsDocument, {}, { refetchInterval: LIVE_MS })
  const margin = usePlatformQuery(MarginDocument, { ...lastDays(DAYS), groupBy: 'ALIAS' })
  const unpriced = models.data?.models.filter(({ price }) => !price).map(({ alias }) => alias) ?? []
  const books = usePlatformQuery(PriceBooksDocument, {}, { enabled: unpriced.length > 0 })
  const later = laterPrices(books.data?.priceBooks ?? [], { aliases: unpriced, companyId: null, nowMs: nowMs() })
  const all = models.data?.models ?? []
  const found = all.filter(({ alias }) => hasPart(alias, filter))
  const byAlias = margin.data && marginByAlias(margin.data.margin)
  return (
    <Page
      title="Models"
      description={`Routes with the figures of each provider for the last minute, and charges and costs for the last ${DAYS} days.`}
    >
      {models.error && <ErrorBox error={models.error} onRetry={() => void models.refetch()} />}
      {margin.error && <ErrorBox error={margin.error} onRetry={() => void margin.refetch()} />}
      {models.isPending && (
        <Card>
          <Skeleton lines={8} />
        </Card>
      )}
      {models.data?.models.length === 0 && (
        <Card>
          <EmptyState title="No models yet" action={<Link to="/setup">See what to set up</Link>}>
            Name providers and aliases in the providers file and start a gateway; it reports its routes here.
          </EmptyState>
        </Card>
      )}
      {all.length >= FILTERED_ROWS_MIN && (
        <NameFilter label="Model" placeholder="Part of the name" value={filter} onChange={setFilter} />
      )}
      {all.length > 0 && found.length === 0 && (
        <Card>
          <EmptyState title="No model matches">Search for another part of its name.</EmptyState>
        </Card>
      )}
      {found.slice(0, cards).map((model) => (
        <ModelCard
          key={model.alias}
          model={model}
          priceFrom={later.find(({ alias }) => alias === model.alias)?.from ?? null}
          margin={byAlias && (byAlias.get(model.alias) ?? null)}
        />
      ))}
      {found.length > cards && (
        <Button onClick={() => setCards((before) => before + PAGE_CARDS)}>Show more models</Button>
      )}
    </Page>
  )
}

type Props = {
  readonly model: Model
  /** When a scheduled first price of the alias begins. */
  readonly priceFrom: string | null
  /** null: no calls; undefined: loading. */
  readonly margin: Margin | null | undefined
}

function ModelCard({ model, priceFrom, margin }: Props) {
  const { alias, providers, price } = model
  return (
    <Card
      title={alias}
      action={
        <span className="row">
          {!price && <Badge tone="danger">No price</Badge>}
          {providers.length === 0 && <Badge tone="danger">No provider</Badge>}
          <span className="muted small">{about(model)}</span>
        </span>
      }
    >
      {providers.length === 0 ? (
        <EmptyState title="No gateway has a route">
          The alias has a price but cannot be called. Name a provider for it in the providers file, or retire its price.
        </EmptyState>
      ) : (
        <ProviderTable model={model} />
      )}
      <dl className="inside strip">
        <div>
          <dt>Credits per million tokens, in / out</dt>
          <dd>
            {price ? <Prices of={price} /> : <Link to="/prices">Set a price</Link>}
            {priceFrom !== null && (
              <span className="muted">
                . The published one <ClockHint from={priceFrom} />.
              </span>
            )}
          </dd>
        </div>
        {margin !== undefined && <MarginFacts margin={margin} />}
      </dl>
    </Card>
  )
}

function MarginFacts({ margin }: { readonly margin: Margin | null }) {
  if (margin === null)
    return (
      <div>
        <dt>Calls</dt>
        <dd className="muted">None in {DAYS} days</dd>
      </div>
    )
  const { calls, failures, chargedMicros, costMicros, unknownCalls } = margin
  return (
    <>
      <div>
        <dt>Calls</dt>
        <dd className="number">
          {calls.toLocaleString()} charged, {failures.toLocaleString()} failed
        </dd>
      </div>
      <div>
        <dt>Charged</dt>
        <dd>
          <Money micros={chargedMicros} short /> credits
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd className="number">
          {[...costMicros].map(([currency, micros]) => `${plainCredits(micros)} ${currency.toUpperCase()}`).join(', ')}
          {unknownCalls > 0 && (
            <span className="muted">
              {costMicros.size > 0 && ', '}unknown for {unknownCalls.toLocaleString()}{' '}
              {unknownCalls === 1 ? 'call' : 'calls'}
            </span>
          )}
        </dd>
      </div>
    </>
  )
}

function Prices({ of: price }: { readonly of: NonNullable<Model['price']> }) {
  const others = othersIn(editOf(price))
  return (
    <>
      <span className="number">
        {price.inputPerMillionTokens.toLocaleString()} / {price.outputPerMillionTokens.toLocaleString()}
        {price.perCall !== null && ` + ${price.perCall} a call`}
      </span>
      {others.length > 0 && <div className="muted small">Also priced: {others.join(', ')}</div>}
    </>
  )
}

/** The alias's settings in PROVIDERS_FILE, in one line. */
function about({ providers, strategy, contextLength, maxOutputTokens, wires }: Model): string {
  return [
    strategy === null || providers.length < 2 ? null : strategy === 'weighted' ? 'by weight' : 'in this order',
    contextLength === null ? null : `${contextLength.toLocaleString()} tokens of context`,
    maxOutputTokens === null ? null : `at most ${maxOutputTokens.toLocaleString()} tokens of output`,
    wires.length === 0 ? null : wires.join(', '),
  ]
    .filter((part) => part !== null)
    .join(' · ')
}
