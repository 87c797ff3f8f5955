import { useChange } from '../../api/useChange.ts'
import { SettleInvoiceDocument, VoidInvoiceDocument } from '../../graphql/generated.ts'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { ReasonField, useReason } from '../../parts/ReasonField.tsx'
import { Price } from '../../parts/values/Price.tsx'
import type { Invoice } from './billingWords.ts'

export type Ended = { readonly invoice: Invoice; readonly outcome: 'SETTLED' | 'VOIDED' }

const WORDS = {
  SETTLED: {
    title: 'Settle the invoice',
    action: 'Settle it',
    what: 'was paid outside of the payment provider, for example by bank transfer. Its credits are settled on the ledger.',
  },
  VOIDED: {
    title: 'Void the invoice',
    action: 'Void it',
    what: 'is not owed any more. The credits of its month stay charged until an adjustment gives them back.',
  },
} as const

/** Ends the usage invoice of a postpaid company by hand, at the payment provider and here. */
export function EndInvoiceDialog({ invoice, outcome, onClose }: Ended & { readonly onClose: () => void }) {
  const { id, month, amount, currency } = invoice
  const { title, action, what } = WORDS[outcome]
  const settle = useChange(SettleInvoiceDocument, 'company')
  const cancel = useChange(VoidInvoiceDocument, 'company')
  const end = outcome === 'SETTLED' ? settle : cancel
  const reason = useReason()
  const submit = () => {
    const text = reason.take()
    if (text !== null) end.mutate({ id, reason: text }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={`${title} of ${month}`}
      description="This cannot be undone. Your name and the reason are on the trail of the company."
      action={action}
      change={end}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        <Price amount={amount} currency={currency} /> {what}
      </p>
      <ReasonField reason={reason} missing="Give a reason: the company and its auditors will read it on the trail." />
    </FormDialog>
  )
}
