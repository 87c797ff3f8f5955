import { Badge } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { Table } from '../../parts/Table.tsx'
import { Money } from '../../parts/values/Money.tsx'
import { type Call, STATE } from './callWords.ts'
import type { Priced, PriceLine } from './priceLines.ts'

type Props = { readonly call: Call; readonly priced: Priced | null }

/** Shows how tokens and prices add up to the charge, or only tokens and charge if the prices are unknown. */
export function ChargeCard({ call, priced }: Props) {
  return (
    <Card title="Charge" action={<Badge tone={STATE[call.state].tone}>{STATE[call.state].name}</Badge>}>
      {priced && <Lines priced={priced} />}
      <dl className="inside facts">
        {!priced && (
          <>
            <dt>Input tokens</dt>
            <dd className="number">{inputTokens(call)}</dd>
            <dt>Output tokens</dt>
            <dd className="number">{call.tokensOut.toLocaleString()}</dd>
          </>
        )}
        {priced && priced.perCallMicros > 0n && (
          <>
            <dt>Call fee</dt>
            <dd>
              <Money micros={priced.perCallMicros} /> credits
            </dd>
          </>
        )}
        {priced && call.state === 'REVERSED' && (
          <>
            <dt>Originally charged</dt>
            <dd>
              <Money micros={priced.sumMicros} /> credits
            </dd>
          </>
        )}
        <dt>Charged</dt>
        <dd>
          <strong>
            <Money micros={call.amountMicros} /> credits
          </strong>
        </dd>
        {priced && (
          <>
            <dt>Price book</dt>
            <dd>
              <code>{priced.bookId}</code>
            </dd>
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

function Lines({ priced }: { readonly priced: Priced }) {
  return (
    <Table<PriceLine>
      label="How the charge was computed"
      narrow
      rows={priced.lines}
      rowId={({ name }) => name}
      columns={[
        { id: 'name', header: '', place: 'main', cell: ({ name }) => name },
        {
          id: 'tokens',
          header: 'Tokens',
          align: 'right',
          cell: ({ tokens }) => <span className="number">{tokens.toLocaleString()}</span>,
        },
        {
          id: 'rate',
          header: '× per million',
          align: 'right',
          cell: ({ rateMicros }) => <Money micros={rateMicros} />,
        },
        {
          id: 'cost',
          header: '= credits',
          align: 'right',
          cell: ({ tokens, rateMicros }) => <Money micros={(BigInt(tokens) * rateMicros + 500_000n) / 1_000_000n} />,
        },
      ]}
    />
  )
}

function inputTokens({ tokensIn, tokensCached }: Call): string {
  const all = tokensIn.toLocaleString()
  return tokensCached === null ? all : `${all}, ${tokensCached.toLocaleString()} of them cached`
}
