import { Card } from '../../parts/Card.tsx'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { ProofCard } from './ProofCard.tsx'
import type { Receipt } from './prove.ts'
import { isUnsealed, useReceipt } from './useReceipt.ts'

/** One ledger event of a call and its proof, for roles that may read the ledger. */
export function CallEvent({ eventId }: { readonly eventId: string }) {
  const { data, error, isFetching } = useReceipt(eventId)
  if (data) {
    return (
      <>
        <Stored event={data.ledgerReceipt.event} />
        <ProofCard receipt={data.ledgerReceipt} />
      </>
    )
  }
  if (error && !isUnsealed(error)) return <ErrorBox error={error} />
  if (!isFetching && !error) return null
  return (
    <Card title="Proof">
      <p className="inside muted" role="status">
        The transparency log does not cover this call yet. Its event and receipt appear here once it does.
      </p>
    </Card>
  )
}

function Stored({ event: { id, type, number, time, stream, data } }: { readonly event: Receipt['event'] }) {
  return (
    <Card title="Event" action={<CopyButton text={id} what="the event id" />}>
      <dl className="inside facts">
        <dt>Type</dt>
        <dd>
          <code>{type}</code>
        </dd>
        <dt>Entry</dt>
        <dd>
          <span className="number">{number.toLocaleString()}</span> of the ledger <code>{stream}</code>
        </dd>
        <dt>Stored</dt>
        <dd>
          <Time at={time} />
        </dd>
        <dt>Data</dt>
        <dd>
          <details>
            <summary>{Object.keys(data).length} fields</summary>
            <div className="snippet">
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reachable with the keyboard. */}
              <pre tabIndex={0}>{JSON.stringify(data, null, 2)}</pre>
            </div>
          </details>
        </dd>
      </dl>
    </Card>
  )
}
