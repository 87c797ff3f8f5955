import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/apiError.ts'
import { Card } from '../../parts/Card.tsx'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { checkpointOf } from './logLines.ts'

/** A checkpoint is replaced every ten seconds at most. */
const LIVE_MS = 10_000

/** The latest signed checkpoint of the ledger's log. */
export function CheckpointCard() {
  const note = useQuery({ queryKey: ['log checkpoint'], queryFn: readCheckpoint, refetchInterval: LIVE_MS })
  const checkpoint = note.data ? checkpointOf(note.data) : null
  return (
    <Card
      title="Checkpoint of the ledger's log"
      action={note.data && <CopyButton text={note.data} what="the checkpoint" />}
    >
      {note.isPending && <Skeleton lines={3} />}
      {note.error && <ErrorBox error={note.error} onRetry={() => void note.refetch()} />}
      {note.data === null && (
        <EmptyState title="No checkpoint yet">
          The reactor signs the first one some seconds after the first event of a ledger.
        </EmptyState>
      )}
      {checkpoint && (
        <dl className="inside facts">
          <dt>Origin</dt>
          <dd>{checkpoint.origin}</dd>
          <dt>Entries</dt>
          <dd className="number">{checkpoint.size.toLocaleString()}</dd>
          <dt>Root</dt>
          <dd>
            <code>{checkpoint.root}</code>
          </dd>
        </dl>
      )}
    </Card>
  )
}

/** null before the first one. */
async function readCheckpoint(): Promise<string | null> {
  const answer = await fetch('/log/checkpoint').catch(() => {
    throw new ApiError('The server did not answer. Check the connection and try again.', 'NETWORK', null)
  })
  if (answer.status === 404) return null
  const requestId = answer.headers.get('x-request-id')
  if (!answer.ok)
    throw new ApiError(`The server answered with status ${answer.status}.`, `HTTP_${answer.status}`, requestId)
  return answer.text()
}
