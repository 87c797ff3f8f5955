import { useState } from 'react'
import { useChange } from '../../api/useChange.ts'
import { SetCompanyLimitsDocument } from '../../graphql/generated.ts'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { LimitFields } from './LimitFields.tsx'
import { type Limits, limitFaults, limitsDraftOf, limitsIn, limitWords } from './projectWords.ts'

/** What the calls of all keys of the company may use together. */
export function CompanyLimitsCard({ limits, mayChange }: { readonly limits: Limits; readonly mayChange: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Card
      title="Limits of the company"
      action={
        mayChange && (
          <Button aria-label="Change the limits of the company" onClick={() => setOpen(true)}>
            Change
          </Button>
        )
      }
    >
      <div className="inside">
        <p>
          <strong>{limitWords(limits).join(' · ') || 'No limit.'}</strong>
        </p>
        <p className="muted small">
          All keys share them. A call has to be within the limits of its key, its project and the company.
        </p>
      </div>
      {isOpen && <LimitsDialog limits={limits} onClose={() => setOpen(false)} />}
    </Card>
  )
}

function LimitsDialog({ limits, onClose }: { readonly limits: Limits; readonly onClose: () => void }) {
  const set = useChange(SetCompanyLimitsDocument, 'company')
  const [draft, setDraft] = useState(() => limitsDraftOf(limits))
  const [tried, setTried] = useState(false)
  const faults = limitFaults(draft)
  const submit = () => {
    setTried(true)
    if (Object.keys(faults).length === 0) set.mutate({ input: limitsIn(draft) }, { onSuccess: onClose })
  }
  return (
    <FormDialog title="Limits of the company" action="Save" change={set} onSubmit={submit} onClose={onClose}>
      <LimitFields
        draft={draft}
        faults={tried ? faults : {}}
        onChange={(changed) => setDraft((before) => ({ ...before, ...changed }))}
      />
    </FormDialog>
  )
}
