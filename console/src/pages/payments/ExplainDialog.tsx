import { useChange } from '../../api/useChange.ts'
import { ExplainDifferenceDocument } from '../../graphql/generated.ts'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { ReasonField, useReason } from '../../parts/ReasonField.tsx'
import { PLATFORM } from '../../shell/platform.ts'
import type { Finding } from './reconciliationWords.ts'

/** Records why a difference is in order. */
export function ExplainDialog({ finding, onClose }: { readonly finding: Finding; readonly onClose: () => void }) {
  const explain = useChange(ExplainDifferenceDocument, PLATFORM)
  const reason = useReason()
  const submit = () => {
    const text = reason.take()
    if (text !== null) explain.mutate({ id: finding.id, reason: text }, { onSuccess: onClose })
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
      <ReasonField reason={reason} missing="Give a reason: auditors will read it on the trail." />
    </FormDialog>
  )
}
