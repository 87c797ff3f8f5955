import { useState } from 'react'
import { useChange } from '../../api/useChange.ts'
import {
  DeleteWebhookEndpointDocument,
  WebhookEndpointsDocument,
  type WebhookEndpointsQuery,
} from '../../graphql/generated.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { useCompanyQuery, useViewer } from '../../shell/viewer.ts'
import { DeliveriesDialog } from './DeliveriesDialog.tsx'
import { EndpointDialog } from './EndpointDialog.tsx'

type Endpoint = WebhookEndpointsQuery['webhookEndpoints'][number]
type Open = { readonly dialog: 'new' } | { readonly dialog: 'deliveries' | 'delete'; readonly endpoint: Endpoint }

/** As the API limits them. */
const ENDPOINTS_MAX = 10

/** The endpoints that receive webhooks about the company's credits, keys and invoices. */
export function WebhooksCard() {
  const { may } = useViewer()
  const mayChange = may('changeWebhooks')
  const [open, setOpen] = useState<Open | null>(null)
  const { data, error, isPending, refetch } = useCompanyQuery(WebhookEndpointsDocument, {})
  const endpoints = data?.webhookEndpoints ?? []
  const add = mayChange ? (
    <Button
      refusal={endpoints.length >= ENDPOINTS_MAX ? `A company has at most ${ENDPOINTS_MAX} endpoints.` : null}
      onClick={() => setOpen({ dialog: 'new' })}
    >
      New endpoint
    </Button>
  ) : null
  const columns: Column<Endpoint>[] = [
    {
      id: 'url',
      header: 'Address',
      place: 'main',
      cell: ({ url, disabledAt, disabledReason }) => (
        <div>
          <code>{url}</code> {disabledAt && <Badge tone="danger">disabled</Badge>}
          {disabledReason && <div className="muted small">{disabledReason}</div>}
        </div>
      ),
    },
    { id: 'types', header: 'Messages', cell: ({ types }) => <span className="small">{types.join(', ')}</span> },
    { id: 'created', header: 'Created', cell: ({ createdAt }) => <Time at={createdAt} relative /> },
    {
      id: 'act',
      header: '',
      align: 'right',
      cell: (endpoint) => (
        <span className="row end">
          <Button
            aria-label={`Deliveries to ${endpoint.url}`}
            onClick={() => setOpen({ dialog: 'deliveries', endpoint })}
          >
            Deliveries
          </Button>
          {mayChange && (
            <Button aria-label={`Delete ${endpoint.url}`} onClick={() => setOpen({ dialog: 'delete', endpoint })}>
              Delete
            </Button>
          )}
        </span>
      ),
    },
  ]
  const close = () => setOpen(null)
  return (
    <Card title="Outgoing webhooks" action={endpoints.length > 0 ? add : null}>
      {isPending && <Skeleton lines={3} />}
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data && endpoints.length === 0 && (
        <EmptyState title="No endpoints yet" action={add}>
          {mayChange ? 'Enter the address of your program. It' : 'The company’s program'} gets a signed message when the
          balance is low, a key expires or an invoice is due.
        </EmptyState>
      )}
      {endpoints.length > 0 && (
        <Table label="Webhook endpoints" columns={columns} rows={endpoints} rowId={({ id }) => id} />
      )}
      {open?.dialog === 'new' && <EndpointDialog onClose={close} />}
      {open?.dialog === 'deliveries' && (
        <DeliveriesDialog endpointId={open.endpoint.id} url={open.endpoint.url} onClose={close} />
      )}
      {open?.dialog === 'delete' && <DeleteDialog endpoint={open.endpoint} onClose={close} />}
    </Card>
  )
}

function DeleteDialog({ endpoint, onClose }: { readonly endpoint: Endpoint; readonly onClose: () => void }) {
  const removal = useChange(DeleteWebhookEndpointDocument, 'company')
  return (
    <ConfirmDialog
      title="Delete the endpoint?"
      action="Delete"
      danger
      change={removal}
      onConfirm={() => removal.mutate({ id: endpoint.id }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        Nothing more is sent to <code>{endpoint.url}</code>, not even messages waiting for a retry.
      </p>
    </ConfirmDialog>
  )
}
