import { useChange } from '../../api/useChange.ts'
import { CapCompanyDocument, ResumeCompanyDocument, SuspendCompanyDocument } from '../../graphql/generated.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { ReasonField, useReason } from '../../parts/ReasonField.tsx'
import { PLATFORM } from '../../shell/platform.ts'
import { AdjustDialog } from './AdjustDialog.tsx'
import type { CompanyAction } from './CompanyTable.tsx'
import { CreditLimitDialog } from './CreditLimitDialog.tsx'
import type { Company } from './companyWords.ts'
import { GrantDialog } from './GrantDialog.tsx'

export type Open = { readonly action: CompanyAction; readonly company: Company }

type Props = Open & { readonly onClose: () => void }

/** The dialog of the action that was chosen for a company. */
export function CompanyDialog({ action, ...rest }: Props) {
  switch (action) {
    case 'grant':
      return <GrantDialog {...rest} />
    case 'adjust':
      return <AdjustDialog {...rest} />
    case 'cap':
      return <CapDialog {...rest} />
    case 'limit':
      return <CreditLimitDialog {...rest} />
    case 'suspend':
      return <SuspendDialog {...rest} />
    case 'resume':
      return <ResumeDialog {...rest} />
  }
}

type DialogProps = Omit<Props, 'action'>

function CapDialog({ company: { id, name, hardCap }, onClose }: DialogProps) {
  const cap = useChange(CapCompanyDocument, PLATFORM, 'company')
  return (
    <ConfirmDialog
      title={hardCap ? `Lift the hard cap of “${name}”?` : `Set a hard cap for “${name}”?`}
      action={hardCap ? 'Lift the hard cap' : 'Set the hard cap'}
      change={cap}
      onConfirm={() => cap.mutate({ companyId: id, hardCap: !hardCap }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {hardCap
          ? 'Calls that run at the same time may then take the balance below zero.'
          : 'Calls then never take the balance below zero: a call that might cost more than the balance is refused.'}
      </p>
    </ConfirmDialog>
  )
}

function SuspendDialog({ company: { id, name }, onClose }: DialogProps) {
  const suspend = useChange(SuspendCompanyDocument, PLATFORM, 'company')
  const reason = useReason()
  const confirm = () => {
    const text = reason.take()
    if (text !== null) suspend.mutate({ id, reason: text }, { onSuccess: onClose })
  }
  return (
    <ConfirmDialog
      title={`Suspend “${name}”?`}
      action="Suspend"
      danger
      change={suspend}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        Until you resume the company, its calls are refused, and so is everything else that spends. Its people can still
        sign in and read, and they get the reason by mail.
      </p>
      <ReasonField reason={reason} missing="Give a reason: the people in the company will read it." />
    </ConfirmDialog>
  )
}

function ResumeDialog({ company: { id, name, suspendedReason }, onClose }: DialogProps) {
  const resume = useChange(ResumeCompanyDocument, PLATFORM, 'company')
  return (
    <ConfirmDialog
      title={`Resume “${name}”?`}
      action="Resume"
      change={resume}
      onConfirm={() => resume.mutate({ id }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        Its calls are served again within a second. It was suspended for this reason: <strong>{suspendedReason}</strong>
      </p>
    </ConfirmDialog>
  )
}
