import { type FormEvent, useState } from 'react'
import type { Role } from '../../graphql/roles.ts'
import { Button } from '../../parts/Button.tsx'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { Dialog } from '../../parts/Dialog.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Field, SelectField } from '../../parts/Field.tsx'
import { useViewer } from '../../shell/viewer.ts'
import type { Invitation, Member } from './PeopleTables.tsx'
import { nameOfRole, ROLE_HINTS, rolesToGive } from './roleWords.ts'
import { usePeopleChanges } from './usePeopleChanges.ts'

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
  const { invite } = usePeopleChanges()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('DEVELOPER')
  const [tried, setTried] = useState(false)
  const fault = /^[^@\s]+@[^@\s]+$/.test(email.trim()) ? undefined : 'Enter an email address.'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!fault) invite.mutate({ email: email.trim(), role }, { onSuccess: onClose })
  }
  return (
    <Dialog
      title="Invite a person"
      description="They get a link by mail that works once, within 7 days. It replaces any earlier link to this address."
      holds
      onClose={onClose}
    >
      <form onSubmit={submit} noValidate>
        <div className="scroll">
          <Field
            label="E-mail"
            type="email"
            autoComplete="off"
            value={email}
            fault={tried ? fault : undefined}
            onChange={({ target }) => setEmail(target.value)}
          />
          <RoleField role={role} onPick={setRole} />
          {invite.error ? <ErrorBox error={invite.error} /> : null}
        </div>
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={invite.isPending}>
            Send the invitation
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

type MemberProps = { readonly user: Member; readonly onClose: () => void }

export function RoleDialog({ user, onClose }: MemberProps) {
  const { setRole } = usePeopleChanges()
  const [role, pickRole] = useState<Role>(user.role ?? 'DEVELOPER')
  return (
    <ConfirmDialog
      title={`Role of ${user.email}`}
      action="Change the role"
      busy={setRole.isPending}
      error={setRole.error}
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
  const { remove } = usePeopleChanges()
  return (
    <ConfirmDialog
      title={`Remove ${user.email}?`}
      action="Remove"
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate(user.id, { onSuccess: onClose })}
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
  const { withdraw } = usePeopleChanges()
  return (
    <ConfirmDialog
      title={`Withdraw the invitation of ${invitation.email}?`}
      action="Withdraw"
      danger
      busy={withdraw.isPending}
      error={withdraw.error}
      onConfirm={() => withdraw.mutate(invitation.id, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>The link in the mail can no longer be used.</p>
    </ConfirmDialog>
  )
}
