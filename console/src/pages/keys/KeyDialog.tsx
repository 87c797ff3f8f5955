import { useState } from 'react'
import type { Change } from '../../parts/ConfirmDialog.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { KeyFields } from './KeyFields.tsx'
import { faultsOf, type KeyDraft } from './keyForm.ts'

type Props = {
  readonly title: string
  readonly action: string
  readonly initial: KeyDraft
  readonly change: Change
  readonly onSubmit: (draft: KeyDraft) => void
  readonly onClose: () => void
}

/** Mints or edits a key. Errors show after the first submit, then update while typing. */
export function KeyDialog({ title, action, initial, change, onSubmit, onClose }: Props) {
  const [draft, setDraft] = useState(initial)
  const [tried, setTried] = useState(false)
  const faults = faultsOf(draft)
  const submit = () => {
    setTried(true)
    if (Object.keys(faults).length === 0) onSubmit(draft)
  }
  return (
    <FormDialog title={title} action={action} change={change} onSubmit={submit} onClose={onClose}>
      <KeyFields
        draft={draft}
        faults={tried ? faults : {}}
        onChange={(changed) => setDraft((before) => ({ ...before, ...changed }))}
      />
    </FormDialog>
  )
}
