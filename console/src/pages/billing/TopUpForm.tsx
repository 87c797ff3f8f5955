import { type FormEvent, useState } from 'react'
import { useChange } from '../../api/useChange.ts'
import { SetTopUpDocument } from '../../graphql/generated.ts'
import { Button } from '../../parts/Button.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Field, SelectField } from '../../parts/Field.tsx'
import type { Pack } from './billingWords.ts'
import { type TopUp, topUpFaults } from './topUpWords.ts'

/** The settings of automatic top-up. Saving them switches it on. */
export function TopUpForm({ topUp, packs }: { readonly topUp: TopUp; readonly packs: readonly Pack[] }) {
  const set = useChange(SetTopUpDocument, 'company')
  const [threshold, setThreshold] = useState(topUp.thresholdCredits?.toString() ?? '')
  const [packId, setPackId] = useState(topUp.packId ?? packs[0]?.id ?? '')
  const [ceiling, setCeiling] = useState(topUp.monthlyCeiling?.toString() ?? '')
  const [tried, setTried] = useState(false)
  const faults = topUpFaults({ threshold, packId, ceiling }, packs)
  const pack = packs.find(({ id }) => id === packId)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(faults).length > 0) return
    const settings = { thresholdCredits: Number(threshold), packId, monthlyCeiling: Number(ceiling) }
    set.mutate({ input: { enabled: true, ...settings } })
  }
  return (
    <form onSubmit={submit} noValidate className="filters" aria-label="Automatic top-up">
      <Field
        label="Balance below (credits)"
        inputMode="decimal"
        value={threshold}
        fault={tried ? faults.threshold : undefined}
        onChange={({ target }) => setThreshold(target.value)}
      />
      <SelectField
        label="Buy this pack"
        value={packId}
        fault={tried ? faults.packId : undefined}
        options={packs.map(({ id: value, name: label }) => ({ value, label }))}
        onPick={setPackId}
      />
      <Field
        label={`Spend at most per month${pack ? ` (${pack.currency.toUpperCase()})` : ''}`}
        inputMode="decimal"
        value={ceiling}
        fault={tried ? faults.ceiling : undefined}
        onChange={({ target }) => setCeiling(target.value)}
      />
      <Button type="submit" kind="primary" busy={set.isPending}>
        {topUp.enabled ? 'Save' : 'Switch on'}
      </Button>
      {set.error ? <ErrorBox error={set.error} /> : null}
    </form>
  )
}
