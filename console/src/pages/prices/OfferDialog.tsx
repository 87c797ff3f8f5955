import { useState } from 'react'
import type { BillingMode } from '../../graphql/generated.ts'
import type { Change } from '../../parts/ConfirmDialog.tsx'
import { Field, SelectField } from '../../parts/Field.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { NEW_OFFER, type OfferDraft, type OfferKind, offerFaults } from './offerDraft.ts'

type Props = {
  readonly kind: OfferKind
  readonly change: Change
  readonly onSubmit: (draft: OfferDraft) => void
  readonly onClose: () => void
}

const MODES = [
  { value: 'PREPAID', label: 'In advance, each month' },
  { value: 'POSTPAID', label: 'By invoice, after each month' },
] as const satisfies readonly { readonly value: BillingMode; readonly label: string }[]

/** Creates a pack or a plan. Errors show after the first submit, then update while typing. */
export function OfferDialog({ kind, change, onSubmit, onClose }: Props) {
  const [draft, setDraft] = useState(NEW_OFFER)
  const [tried, setTried] = useState(false)
  const faults = offerFaults(kind, draft)
  const text = (name: Exclude<keyof OfferDraft, 'billingMode'>) => ({
    name,
    value: draft[name],
    autoComplete: 'off',
    fault: tried ? faults[name] : undefined,
    onChange: ({ target }: { target: HTMLInputElement }) => setDraft({ ...draft, [name]: target.value }),
  })
  const submit = () => {
    setTried(true)
    if (Object.keys(faults).length === 0) onSubmit(draft)
  }
  const isPack = kind === 'pack'
  return (
    <FormDialog
      title={isPack ? 'New credit pack' : 'New plan'}
      description="Price, credits and their validity are final. To change them, retire it and create another."
      action={isPack ? 'Create the pack' : 'Create the plan'}
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" maxLength={100} {...text('name')} />
      {!isPack && (
        <SelectField
          label="Paid"
          options={MODES}
          value={draft.billingMode}
          onPick={(mode) => setDraft({ ...draft, billingMode: mode as BillingMode })}
        />
      )}
      <div className="columns">
        <Field label="Price" inputMode="decimal" placeholder="10" {...text('price')} />
        <Field label="Currency" maxLength={3} {...text('currency')} />
      </div>
      <div className="columns">
        <Field label={isPack ? 'Credits' : 'Credits per period'} inputMode="decimal" {...text('credits')} />
        {isPack && (
          <Field
            label="Valid for days"
            inputMode="numeric"
            placeholder="Without end"
            hint="Counted from the payment."
            {...text('validDays')}
          />
        )}
        {!isPack && draft.billingMode === 'PREPAID' && (
          <Field
            label="Unused credits that roll over, %"
            inputMode="decimal"
            placeholder="They do not expire"
            hint="With 0 they all expire with their period."
            {...text('rolloverPercent')}
          />
        )}
      </div>
    </FormDialog>
  )
}
