import { useState } from 'react'
import type { Change } from '../../parts/ConfirmDialog.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { useCallNames } from '../../shell/useCallNames.ts'
import { useViewer } from '../../shell/viewer.ts'
import { KeyFields } from './KeyFields.tsx'
import { faultsOf, type KeyDraft, NEW_KEY } from './keyForm.ts'
import type { Key } from './keyWords.ts'
import { offeredModels } from './models.ts'

type Props = {
  readonly title: string
  readonly action: string
  readonly initial: KeyDraft
  /** All keys of the company that the viewer may see. */
  readonly keys: readonly Key[]
  readonly change: Change
  readonly onSubmit: (draft: KeyDraft) => void
  readonly onClose: () => void
}

/** Mints or edits a key. Errors show after the first submit, then update while typing. */
export function KeyDialog({ title, action, initial, keys, change, onSubmit, onClose }: Props) {
  const { user } = useViewer()
  const called = useCallNames()?.models
  const [draft, setDraft] = useState(initial)
  const [tried, setTried] = useState(false)
  const lowersOnly = user.role === 'DEVELOPER' && initial !== NEW_KEY
  const faults = faultsOf(draft, lowersOnly ? initial : undefined)
  const submit = () => {
    setTried(true)
    if (Object.keys(faults).length === 0) onSubmit(draft)
  }
  return (
    <FormDialog title={title} action={action} change={change} onSubmit={submit} onClose={onClose}>
      <KeyFields
        draft={draft}
        models={{ offered: offeredModels(called ?? [], keys), called }}
        faults={tried ? faults : {}}
        onChange={(changed) => setDraft((before) => ({ ...before, ...changed }))}
      />
    </FormDialog>
  )
}
