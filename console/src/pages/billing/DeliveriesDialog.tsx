import { useChange } from '../../api/useChange.ts'
import { ResendDeliveryDocument, WebhookDeliveriesDocument } from '../../graphql/generated.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { useShownRows } from '../../parts/useShownRows.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { useCompanyQuery, useViewer } from '../../shell/viewer.ts'
import { DELIVERY, type Delivery } from './billingWords.ts'

/** How often deliveries are refetched while they are shown. */
const LIVE_MS = 5_000

type Props = { readonly endpointId: string; readonly url: string; readonly onClose: () => void }

/** The messages sent to an endpoint in the last 30 days. Each can be resent. */
export function DeliveriesDialog({ endpointId, url, onClose }: Props) {
  const { may } = useViewer()
  const { data, error, isPending } = useCompanyQuery(
    WebhookDeliveriesDocument,
    { endpointId },
    { refetchInterval: LIVE_MS },
  )
  const resend = useChange(ResendDeliveryDocument, 'company')
  const deliveries = data?.webhookDeliveries ?? []
  const { shown, more } = useShownRows(deliveries)
  const columns: Column<Delivery>[] = [
    { id: 'type', header: 'Message', place: 'main', cell: ({ type }) => <code>{type}</code> },
    {
      id: 'state',
      header: 'State',
      cell: ({ state, lastStatus, lastError, attempts }) => (
        <div>
          <Badge tone={DELIVERY[state].tone}>{DELIVERY[state].name}</Badge>
          <div className="muted small">
            {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
            {lastStatus !== null && `, status ${lastStatus}`}
            {lastError && `, ${lastError}`}
          </div>
        </div>
      ),
    },
    { id: 'created', header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} relative /> },
    {
      id: 'next',
      header: 'Next attempt',
      cell: ({ nextAttemptAt }) =>
        nextAttemptAt ? <Time at={nextAttemptAt} relative /> : <span className="muted">–</span>,
    },
  ]
  if (may('changeWebhooks'))
    columns.push({
      id: 'act',
      header: '',
      align: 'right',
      cell: ({ id, type }) => (
        <Button
          aria-label={`Send again: ${type}`}
          busy={resend.isPending && resend.variables.id === id}
          onClick={() => resend.mutate({ id })}
        >
          Send again
        </Button>
      ),
    })
  return (
    <Dialog title="Deliveries" description={<code>{url}</code>} wide onClose={onClose}>
      <div className="scroll">
        {isPending && <Skeleton lines={4} />}
        {error && <ErrorBox error={error} />}
        {resend.error ? <ErrorBox error={resend.error} /> : null}
        {data && deliveries.length === 0 && (
          <EmptyState title="No messages yet">Messages from the last 30 days appear here.</EmptyState>
        )}
        {deliveries.length > 0 && (
          <Table label="Deliveries" columns={columns} rows={shown} rowId={({ id }) => id} foot={more} />
        )}
      </div>
      <footer>
        <Button onClick={onClose}>Close</Button>
      </footer>
    </Dialog>
  )
}
