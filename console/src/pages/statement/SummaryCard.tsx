import type { UseQueryResult } from '@tanstack/react-query'
import type { StatementQuery } from '../../graphql/generated.ts'
import { Card } from '../../parts/Card.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Money } from '../../parts/values/Money.tsx'
import { isUnsealed } from '../calls/useReceipt.ts'
import type { Coverage } from './useCoverage.ts'

type Shown = StatementQuery['statement']
type Props = { readonly statement: Shown | undefined; readonly coverage: UseQueryResult<Coverage> }

const FORMATS = [
  { format: 'json', name: 'JSON, signed' },
  { format: 'csv', name: 'CSV' },
  { format: 'pdf', name: 'PDF' },
] as const

/** Opening balance, change and closing balance; what of it is signed; downloads. */
export function SummaryCard({ statement, coverage }: Props) {
  return (
    <Card
      title="Balance of the period"
      action={
        statement && (
          <nav className="row" aria-label="Downloads">
            {FORMATS.map(({ format, name }) => (
              <a key={format} className="button" href={`${statement.path}&format=${format}`} download>
                {name}
              </a>
            ))}
          </nav>
        )
      }
    >
      {statement ? <Balances of={statement} coverage={coverage} /> : <Skeleton lines={4} />}
    </Card>
  )
}

function Balances({ of: statement, coverage }: { readonly of: Shown } & Pick<Props, 'coverage'>) {
  const { opening, closing } = statement
  const change = BigInt(closing.amountMicros) - BigInt(opening.amountMicros)
  return (
    <dl className="inside facts">
      <dt>Opening</dt>
      <dd>
        <Money micros={opening.amountMicros} /> credits
      </dd>
      <dt>Change</dt>
      <dd>
        <Money micros={change} /> credits
      </dd>
      <dt>Closing</dt>
      <dd>
        <strong>
          <Money micros={closing.amountMicros} />
        </strong>{' '}
        credits
      </dd>
      <dt>Transparency log</dt>
      <dd>{statement.count === 0 ? 'There is nothing to cover.' : <Covered of={statement} coverage={coverage} />}</dd>
      <dt>Check it</dt>
      <dd>
        The <a href="/log/check.mjs">checker</a> verifies each of the files without this server, with the{' '}
        <a href="/log/vkey">public key</a> of the transparency log: <code>node check.mjs statement.json --vkey …</code>
      </dd>
    </dl>
  )
}

function Covered({ of: { firstNumber, count }, coverage }: { readonly of: Shown } & Pick<Props, 'coverage'>) {
  const last = firstNumber + count - 1
  if (coverage.error && !isUnsealed(coverage.error)) return <ErrorBox error={coverage.error} />
  if (coverage.error) return <span role="status">The signed checkpoint does not cover the last entry yet.</span>
  if (!coverage.data) return <span role="status">Waiting for a signed checkpoint that covers the last entry…</span>
  const { coveredTo, logSize } = coverage.data
  const size = logSize === null ? '' : ` of ${logSize.toLocaleString()} log entries`
  return (
    <span>
      {coveredTo >= last
        ? `Matches the ledger at entry ${last.toLocaleString()}: the signed checkpoint${size} covers every entry of the period.`
        : `Matches the ledger at entry ${coveredTo.toLocaleString()}, the last one that changes the balance: the signed checkpoint${size} covers it and all before it.`}
    </span>
  )
}
