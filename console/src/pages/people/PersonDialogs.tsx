import { useState } from 'react'
import { useChange } from '../../api/useChange.ts'
import {
  InviteUserDocument,
  RemoveUserDocument,
  SetRoleDocument,
  WithdrawInvitationDocument,
} from '../../graphql/generated.ts'
import type { Role } from '../../graphql/roles.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { Field, SelectField } from '../../parts/Field.tsx'
import { FormDialog } from '../../parts/FormDialog.tsx'
import { useViewer } from '../../shell/viewer.ts'
import type { Invitation, Member } from './PeopleTables.tsx'
import { nameOfRole, ROLE_HINTS, rolesToGive } from './roleWords.ts'

type RoleProps = { readonly role: Role; readonly onPick: (role: Role) => void }

function RoleField({ role, onPick }: RoleProps) {
  const { user } = useViewer()
  const options = rolesToGive(user.role).map((value) => ({ value, label: nameOfRole(value) }))
  return (
    <SelectField
      label="Role"
      value={role}
      options={options}
      hint={ROLE_HINTS[role]}
      onPick={(picked) => onPick(picked as Role)}
    />
  )
}

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const invite = useChange(InviteUserDocument, 'company')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('DEVELOPER')
  const [tried, setTried] = useState(false)
  const fault = /^[^@\s]+@[^@\s]+$/.test(email.trim()) ? undefined : 'Enter an email address.'
  const submit = () => {
    setTried(true)
    if (!fault) invite.mutate({ email: email.trim(), role }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title="Invite a person"
      description="They get a link by mail that works once, within 7 days. It replaces any earlier link to this address."
      action="Send the invitation"
      change={invite}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="E-mail"
        type="email"
        autoComplete="off"
        value={email}
        fault={tried ? fault : undefined}
        onChange={({ target }) => setEmail(target.value)}
      />
      <RoleField role={role} onPick={setRole} />
    </FormDialog>
  )
}

type MemberProps = { readonly user: Member; readonly onClose: () => void }

export function RoleDialog({ user, onClose }: MemberProps) {
  const setRole = useChange(SetRoleDocument, 'company')
  const [role, pickRole] = useState<Role>(user.role ?? 'DEVELOPER')
  return (
    <ConfirmDialog
      title={`Role of ${user.email}`}
      action="Change the role"
      change={setRole}
      onConfirm={() =>
        role === user.role ? onClose() : setRole.mutate({ userId: user.id, role }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <RoleField role={role} onPick={pickRole} />
    </ConfirmDialog>
  )
}

export function RemoveDialog({ user, onClose }: MemberProps) {
  const remove = useChange(RemoveUserDocument, 'company')
  return (
    <ConfirmDialog
      title={`Remove ${user.email}?`}
      action="Remove"
      danger
      change={remove}
      onConfirm={() => remove.mutate({ userId: user.id }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        They are signed out everywhere and can no longer sign in. Keys that they created keep working; revoke them if
        necessary.
      </p>
    </ConfirmDialog>
  )
}

type InvitationProps = { readonly invitation: Invitation; readonly onClose: () => void }

export function WithdrawDialog({ invitation, onClose }: InvitationProps) {
  const withdraw = useChange(WithdrawInvitationDocument, 'company')
  return (
    <ConfirmDialog
      title={`Withdraw the invitation of ${invitation.email}?`}
      action="Withdraw"
      danger
      change={withdraw}
      onConfirm={() => withdraw.mutate({ id: invitation.id }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>The link in the mail can no longer be used.</p>
    </ConfirmDialog>
  )
}
