import { useState } from 'react'
import { useChange } from '../../api/useChange.ts'
import { SetCreditLimitDocument } from '../../graphql/generated.ts'
import { Field } from '../../parts/Field.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { PLATFORM } from '../../shell/platform.ts'
import { type Company, isCreditLimit } from './companyWords.ts'

/** How much a postpaid company may owe. */
export function CreditLimitDialog({
  company: { id: companyId, name, creditLimit },
  onClose,
}: {
  readonly company: Company
  readonly onClose: () => void
}) {
  const change = useChange(SetCreditLimitDocument, PLATFORM, 'company')
  const [credits, setCredits] = useState(creditLimit?.toString() ?? '')
  const [tried, setTried] = useState(false)
  const isWrong = !isCreditLimit(credits)
  const submit = () => {
    setTried(true)
    if (isWrong) return
    const limit = credits.trim() === '' ? null : Number(credits)
    change.mutate({ companyId, credits: limit }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={`Credit limit of “${name}”`}
      action="Set the limit"
      change={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        Calls are refused with 402 once the balance is further below zero than this. With a hard cap, no call takes it
        there.
      </p>
      <Field
        label="Credits"
        inputMode="decimal"
        hint="Empty: there is no limit."
        value={credits}
        fault={tried && isWrong ? 'Enter a number of credits above 0, with up to six decimals, or nothing.' : undefined}
        onChange={({ target }) => setCredits(target.value)}
      />
    </FormDialog>
  )
}
