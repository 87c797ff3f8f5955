import { useState } from 'react'
import { useChange } from '../../api/useChange.ts'
import { ExplainDifferenceDocument } from '../../graphql/generated.ts'
import { Field } from '../../parts/Field.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { PLATFORM } from '../../shell/platform.ts'
import type { Finding } from './reconciliationWords.ts'

/** Records why a difference is in order. */
export function ExplainDialog({ finding, onClose }: { readonly finding: Finding; readonly onClose: () => void }) {
  const explain = useChange(ExplainDifferenceDocument, PLATFORM)
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const isMissing = reason.trim() === ''
  const submit = () => {
    setTried(true)
    if (!isMissing) explain.mutate({ id: finding.id, reason: reason.trim() }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title="Explain this difference"
      description="It then counts as explained. Nothing is booked. Your name and the reason are on the trail."
      action="Explain"
      change={explain}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="anywhere">{finding.text}</p>
      <Field
        label="Reason"
        autoComplete="off"
        maxLength={500}
        value={reason}
        fault={tried && isMissing ? 'Give a reason: auditors will read it on the trail.' : undefined}
        onChange={({ target }) => setReason(target.value)}
      />
    </FormDialog>
  )
}
