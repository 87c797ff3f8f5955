import { LedgerLogDocument, type LedgerLogQuery } from '../../graphql/generated.ts'
import { Banner } from '../../parts/Banner.tsx'
import { Card } from '../../parts/Card.tsx'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { usePlatformQuery } from '../../shell/platform.ts'

type LedgerLog = LedgerLogQuery['ledgerLog']

/** A new checkpoint is published at most every ten seconds. */
const LIVE_MS = 10_000

/** The latest signed checkpoint of the transparency log, and the fault that stopped it, if any. */
export function CheckpointCard() {
  const log = usePlatformQuery(LedgerLogDocument, {}, { refetchInterval: LIVE_MS })
  const found = log.data?.ledgerLog
  return (
    <Card
      title="Transparency log"
      action={found?.checkpoint && <CopyButton text={found.checkpoint.note} what="the checkpoint" />}
    >
      {log.isPending && <Skeleton lines={4} />}
      {log.error && <ErrorBox error={log.error} onRetry={() => void log.refetch()} />}
      {found && found.fault !== null && (
        <Banner kind="danger">
          <strong>Sealing and signing have stopped.</strong> {found.fault}
          {found.faultEvent && (
            <>
              {' '}
              The event is <code className="anywhere">{found.faultEvent}</code>.
            </>
          )}
        </Banner>
      )}
      {found && found.checkpoint === null && (
        <EmptyState title="No checkpoint yet">
          The reactor signs the first one a few seconds after the first ledger event.
        </EmptyState>
      )}
      {found?.checkpoint && <Facts checkpoint={found.checkpoint} entries={found.entries} />}
    </Card>
  )
}

type FactsProps = { readonly checkpoint: NonNullable<LedgerLog['checkpoint']>; readonly entries: number }

function Facts({ checkpoint, entries }: FactsProps) {
  const { origin, size, signedAt, root } = checkpoint
  return (
    <dl className="inside facts">
      <dt>Origin</dt>
      <dd className="anywhere">{origin}</dd>
      <dt>Entries</dt>
      <dd>
        <span className="number">{size.toLocaleString()}</span>
        {entries > size && (
          <span className="muted"> and {(entries - size).toLocaleString()} waiting for the next checkpoint</span>
        )}
      </dd>
      <dt>Signed</dt>
      <dd>
        <Time at={signedAt} relative />
      </dd>
      <dt>Root</dt>
      <dd>
        <code className="anywhere">{root}</code>
      </dd>
    </dl>
  )
}
