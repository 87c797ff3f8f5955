import { useState } from 'react'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { useShownRows } from '../../parts/useShownRows.tsx'
import { Price } from '../../parts/values/Price.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { useViewer } from '../../shell/viewer.ts'
import { canEnd, INVOICE, type Invoice, isPayable } from './billingWords.ts'
import { type Ended, EndInvoiceDialog } from './EndInvoiceDialog.tsx'

/** All invoices of the company. Super admins end those for usage by hand. */
export function InvoicesCard({ invoices }: { readonly invoices: readonly Invoice[] }) {
  const { user } = useViewer()
  const [ended, setEnded] = useState<Ended | null>(null)
  const { shown, more } = useShownRows(invoices)
  const columns: Column<Invoice>[] = [
    { id: 'created', header: 'Issued', place: 'main', cell: ({ createdAt }) => <Time at={createdAt} relative /> },
    {
      id: 'for',
      header: 'For',
      cell: ({ month }) => (month ? `Usage of ${month}` : <span className="muted">Pack or plan</span>),
    },
    {
      id: 'status',
      header: 'State',
      cell: ({ status, overdue }) => (
        <Badge tone={overdue ? 'danger' : INVOICE[status].tone}>{overdue ? 'Overdue' : INVOICE[status].name}</Badge>
      ),
    },
    {
      id: 'due',
      header: 'Due',
      cell: ({ dueDate }) => (dueDate ? <Time at={dueDate} relative /> : <span className="muted">–</span>),
    },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      cell: ({ amount, currency }) => <Price amount={amount} currency={currency} />,
    },
    {
      id: 'act',
      header: '',
      align: 'right',
      cell: (invoice) => (
        <span className="row end">
          {user.isSuperAdmin && canEnd(invoice) && <Endings of={invoice} onPick={setEnded} />}
          <InvoiceLinks of={invoice} />
        </span>
      ),
    },
  ]
  return (
    <Card title="Invoices">
      {invoices.length === 0 ? (
        <EmptyState title="No invoices yet">
          Packs, plans and the usage of a postpaid company are invoiced here.
        </EmptyState>
      ) : (
        <Table label="Invoices" columns={columns} rows={shown} rowId={({ id }) => id} foot={more} />
      )}
      {ended && <EndInvoiceDialog {...ended} onClose={() => setEnded(null)} />}
    </Card>
  )
}

function InvoiceLinks({ of: invoice }: { readonly of: Invoice }) {
  const { hostedUrl, pdfUrl } = invoice
  return (
    <>
      {isPayable(invoice) && hostedUrl && (
        <a className="button" href={hostedUrl} rel="noreferrer">
          Pay
        </a>
      )}
      {pdfUrl && (
        <a href={pdfUrl} rel="noreferrer">
          PDF
        </a>
      )}
    </>
  )
}

function Endings({ of: invoice, onPick }: { readonly of: Invoice; readonly onPick: (ended: Ended) => void }) {
  const of = `the invoice of ${invoice.month}`
  return (
    <>
      <Button aria-label={`Settle ${of}`} onClick={() => onPick({ invoice, outcome: 'SETTLED' })}>
        Settle
      </Button>
      <Button aria-label={`Void ${of}`} onClick={() => onPick({ invoice, outcome: 'VOIDED' })}>
        Void
      </Button>
    </>
  )
}
