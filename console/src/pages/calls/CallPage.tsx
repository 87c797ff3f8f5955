import { getRouteApi, Link } from '@tanstack/react-router'
import { CallDocument } from '../../graphql/generated.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Page } from '../../parts/Page.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { duration } from '../../parts/values/times.ts'
import { useKeyNames } from '../../shell/useKeyNames.ts'
import { useCompanyQuery } from '../../shell/viewer.ts'
import { CallEvent } from './CallEvent.tsx'
import { ChargeCard } from './ChargeCard.tsx'
import { type Call, durationMs } from './callWords.ts'
import { useReceipt } from './useReceipt.ts'

const route = getRouteApi('/shell/calls/$id')

export function CallPage() {
  const { id } = route.useParams()
  const { data, error, isPending, refetch } = useCompanyQuery(CallDocument, { id })
  const call = data?.call
  const receipt = useReceipt(id)
  return (
    <Page
      title="Call"
      description={<code>{id}</code>}
      action={
        <Link to="/calls" className="button">
          All calls
        </Link>
      }
    >
      {isPending && (
        <Card>
          <Skeleton lines={6} />
        </Card>
      )}
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {call && (
        <>
          <div className="halves">
            <ChargeCard call={call} event={receipt.data?.ledgerReceipt.event} />
            <Facts call={call} />
          </div>
          {call.eventIds.map((eventId) => (
            <CallEvent key={eventId} eventId={eventId} />
          ))}
        </>
      )}
    </Page>
  )
}

function Facts({ call }: { readonly call: Call }) {
  const keys = useKeyNames()
  return (
    <Card title="Request" action={<CopyButton text={call.id} what="the request id" />}>
      <dl className="inside facts">
        <dt>Model</dt>
        <dd>{call.alias}</dd>
        <dt>Endpoint</dt>
        <dd>
          <code>{call.endpoint}</code> {call.streamed && <Badge>streamed</Badge>}
        </dd>
        <dt>Key</dt>
        <dd>
          <Link to="/calls" search={{ key: call.keyId }}>
            {keys.get(call.keyId) ?? call.keyId}
          </Link>
          {keys.has(call.keyId) && (
            <div>
              <code className="muted small">{call.keyId}</code>
            </div>
          )}
        </dd>
        <dt>Label</dt>
        <dd>{call.label ?? <span className="muted">None</span>}</dd>
        <dt>Admitted</dt>
        <dd>
          <Time at={call.admittedAt} />
        </dd>
        <dt>Finished</dt>
        <dd>
          <Time at={call.finishedAt} />
        </dd>
        <dt>Took</dt>
        <dd className="number">{duration(durationMs(call))}</dd>
      </dl>
    </Card>
  )
}
