import { Fragment, useState } from 'react'
import { useChange } from '../../api/useChange.ts'
import {
  ReplayWebhookDocument,
  WebhookEventsDocument,
  type WebhookEventsQuery,
  type WebhookStatus,
} from '../../graphql/generated.ts'
import { Badge, type Tone } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Segments } from '../../parts/Segments.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { useShownRows } from '../../parts/useShownRows.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { PLATFORM, usePlatformQuery } from '../../shell/platform.ts'
import { effectWords } from './effectWords.ts'

type Event = WebhookEventsQuery['webhookEvents'][number]

const LIVE_MS = 10_000
const PAGE_ROWS = 10
const SHOWN = [
  { value: 'all', label: 'All' },
  { value: 'failed', label: 'Failed' },
] as const
const STATES: Readonly<Record<WebhookStatus, { readonly name: string; readonly tone: Tone }>> = {
  RECEIVED: { name: 'Received', tone: 'plain' },
  PROCESSED: { name: 'Processed', tone: 'good' },
  FAILED: { name: 'Failed', tone: 'danger' },
}

/** The payment events and what they changed. */
export function PaymentEventsCard() {
  const [shown, setShown] = useState<'all' | 'failed'>('all')
  const status = shown === 'failed' ? 'FAILED' : null
  const events = usePlatformQuery(WebhookEventsDocument, { status }, { refetchInterval: LIVE_MS })
  const replay = useChange(ReplayWebhookDocument, PLATFORM)
  const all = events.data?.webhookEvents ?? []
  const { shown: rows, more } = useShownRows(all, { pageRows: PAGE_ROWS, label: 'Show older events' })
  const busyId = replay.isPending ? replay.variables.id : null
  const columns: Column<Event>[] = [
    { id: 'type', header: 'Event', place: 'main', cell: ({ type }) => <EventType type={type} /> },
    {
      id: 'status',
      header: 'State',
      cell: ({ status: one }) => <Badge tone={STATES[one].tone}>{STATES[one].name}</Badge>,
    },
    {
      id: 'effect',
      header: 'Effect',
      cell: ({ effect, error }) => <span className="anywhere">{error ?? effectWords(effect ?? '')}</span>,
    },
    { id: 'received', header: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} relative /> },
    {
      id: 'act',
      header: '',
      place: 'corner',
      cell: (event) =>
        event.status === 'FAILED' && (
          <Button
            busy={busyId === event.id}
            aria-label={`Replay: ${event.type} ${event.id}`}
            onClick={() => replay.mutate({ id: event.id })}
          >
            Replay
          </Button>
        ),
    },
  ]
  return (
    <Card
      title="Events from the payment provider"
      action={<Segments label="Which events are listed" options={SHOWN} value={shown} onPick={setShown} />}
    >
      {events.isPending && <Skeleton lines={3} />}
      {events.error && <ErrorBox error={events.error} onRetry={() => void events.refetch()} />}
      {replay.error && <ErrorBox error={replay.error} />}
      {events.data && all.length === 0 && (
        <EmptyState title={shown === 'failed' ? 'No event failed' : 'No events yet'}>
          {shown === 'failed'
            ? 'Events that could not be processed appear here and can be replayed.'
            : 'Point the payment provider at /payments/webhook on this backend.'}
        </EmptyState>
      )}
      {all.length > 0 && (
        <Table label="Payment events" columns={columns} rows={rows} rowId={({ id }) => id} foot={more} />
      )}
    </Card>
  )
}

/** Lets the type wrap after a dot, but not within a word. */
function EventType({ type }: { readonly type: string }) {
  const parts = type.split('.')
  return (
    <strong>
      {parts.map((part, n) => (
        <Fragment key={parts.slice(0, n + 1).join('.')}>
          {n > 0 && (
            <>
              .<wbr />
            </>
          )}
          {part}
        </Fragment>
      ))}
    </strong>
  )
}
