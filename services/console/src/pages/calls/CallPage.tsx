import { getRouteApi, Link } from '@tanstack/react-router'
import { CallDocument } from '../../graphql/generated.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Card } from '../../parts/Card.tsx'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Money } from '../../parts/Money.tsx'
import { Page } from '../../parts/Page.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Time } from '../../parts/Time.tsx'
import { duration } from '../../parts/times.ts'
import { useKeyNames } from '../../shell/useKeyNames.ts'
import { useCompanyQuery } from '../../shell/viewer.ts'
import { type Call, durationMs, STATE } from './callWords.ts'

const route = getRouteApi('/shell/calls/$id')

export function CallPage() {
  const { id } = route.useParams()
  const { data, error, isPending, refetch } = useCompanyQuery(CallDocument, { id })
  const call = data?.call
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
        <div className="halves">
          <Charge call={call} />
          <Facts call={call} />
        </div>
      )}
    </Page>
  )
}

function Charge({ call }: { readonly call: Call }) {
  return (
    <Card title="Charge" action={<Badge tone={STATE[call.state].tone}>{STATE[call.state].name}</Badge>}>
      <dl className="inside facts">
        <dt>Input tokens</dt>
        <dd className="number">
          {call.tokensIn.toLocaleString()}
          {call.tokensCached !== null && (
            <span className="muted">, {call.tokensCached.toLocaleString()} of them cached</span>
          )}
        </dd>
        <dt>Output tokens</dt>
        <dd className="number">{call.tokensOut.toLocaleString()}</dd>
        <dt>Charged</dt>
        <dd>
          <strong>
            <Money micros={call.amountMicros} /> credits
          </strong>
        </dd>
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
