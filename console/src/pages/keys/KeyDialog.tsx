import { type FormEvent, useState } from 'react'
import { Button } from '../../parts/Button.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { KeyFields } from './KeyFields.tsx'
import { faultsOf, type KeyDraft } from './keyForm.ts'

type Props = {
  readonly title: string
  readonly action: string
  readonly initial: KeyDraft
  readonly busy: boolean
  readonly error: unknown
  readonly onSubmit: (draft: KeyDraft) => void
  readonly onClose: () => void
}

/** Mints or edits a key. Errors show after the first submit, then update while typing. */
export function KeyDialog({ title, action, initial, busy, error, onSubmit, onClose }: Props) {
  const [draft, setDraft] = useState(initial)
  const [tried, setTried] = useState(false)
  const faults = faultsOf(draft)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (Object.keys(faults).length === 0) onSubmit(draft)
  }
  return (
    <Dialog title={title} onClose={onClose} holds>
      <form onSubmit={submit} noValidate>
        <div className="scroll">
          <KeyFields
            draft={draft}
            faults={tried ? faults : {}}
            onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
          />
          {error ? <ErrorBox error={error} /> : null}
        </div>
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={busy}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
