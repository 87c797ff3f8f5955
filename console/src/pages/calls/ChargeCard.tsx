import { Badge } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { Table } from '../../parts/Table.tsx'
import { Money } from '../../parts/values/Money.tsx'
import { type Call, type ChargedCall, STATE } from './callWords.ts'
import { bookIn, type ChargeLine, kindWords, linesOf, rateWords, type StoredEvent, sumOf } from './chargeLines.ts'

type Props = {
  readonly call: ChargedCall
  /** The ledger event that ended the call, for roles that may read it and once it is sealed. */
  readonly event: StoredEvent | undefined
}

/** Shows how the lines of a charge add up to it, or only tokens and charge if there are no lines. */
export function ChargeCard({ call, event }: Props) {
  const lines = linesOf(call.lines, event)
  const bookId = event ? bookIn(event) : null
  return (
    <Card
      title="Charge"
      action={
        <span className="row">
          {call.abandoned && <Badge>Abandoned</Badge>}
          <Badge tone={STATE[call.state].tone}>{STATE[call.state].name}</Badge>
        </span>
      }
    >
      {lines && lines.length > 0 && <Lines lines={lines} />}
      <dl className="inside facts">
        {!lines && (
          <>
            <dt>Input tokens</dt>
            <dd className="number">{inputTokens(call)}</dd>
            <dt>Output tokens</dt>
            <dd className="number">{call.tokensOut.toLocaleString()}</dd>
          </>
        )}
        {call.serviceTier !== null && (
          <>
            <dt>Service tier</dt>
            <dd>{tierWords(call.serviceTier, call.tierFactor)}</dd>
          </>
        )}
        {lines && call.state === 'REVERSED' && (
          <>
            <dt>Originally charged</dt>
            <dd>
              <Money micros={sumOf(lines)} /> credits
            </dd>
          </>
        )}
        <dt>Charged</dt>
        <dd>
          <strong>
            <Money micros={call.amountMicros} /> credits
          </strong>
        </dd>
        {bookId !== null && (
          <>
            <dt>Price book</dt>
            <dd>
              <code>{bookId}</code>
            </dd>
          </>
        )}
        {call.abandoned && (
          <>
            <dt>Abandoned</dt>
            <dd>The caller had left before the answer was complete.</dd>
          </>
        )}
        {call.reason && (
          <>
            <dt>Reason</dt>
            <dd>{call.reason}</dd>
          </>
        )}
      </dl>
    </Card>
  )
}

function Lines({ lines }: { readonly lines: readonly ChargeLine[] }) {
  return (
    <Table<ChargeLine>
      label="How the charge was computed"
      narrow
      rows={lines}
      rowId={({ kind }) => kind}
      columns={[
        {
          id: 'kind',
          header: 'Kind',
          place: 'main',
          cell: (line) => (
            <div>
              <div>{kindWords(line.kind)}</div>
              <div className="muted small">{rateWords(line)}</div>
            </div>
          ),
        },
        {
          id: 'count',
          header: 'Count',
          align: 'right',
          cell: ({ count }) => count > 0 && <span className="number">{count.toLocaleString()}</span>,
        },
        {
          id: 'amount',
          header: 'Credits',
          align: 'right',
          cell: ({ amountMicros }) => <Money micros={amountMicros} />,
        },
      ]}
    />
  )
}

function tierWords(tier: string, factor: number | null): string {
  return factor === null || factor === 1 ? tier : `${tier}: the cost of tokens × ${factor}`
}

function inputTokens({ tokensIn, tokensCached }: Call): string {
  const all = tokensIn.toLocaleString()
  return tokensCached === null ? all : `${all}, ${tokensCached.toLocaleString()} of them cached`
}
