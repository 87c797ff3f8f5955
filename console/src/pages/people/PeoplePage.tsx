import { useState } from 'react'
import { PeopleDocument } from '../../graphql/generated.ts'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Page } from '../../parts/Page.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { useCompanyQuery, useViewer } from '../../shell/viewer.ts'
import { InvitationTable, MemberTable, type PersonAction } from './PeopleTables.tsx'
import { InviteDialog, RemoveDialog, RoleDialog, WithdrawDialog } from './PersonDialogs.tsx'
import { SessionsCard } from './SessionsCard.tsx'

type Open = { readonly dialog: 'invite' } | PersonAction

export function PeoplePage() {
  const { asCompany, may } = useViewer()
  const mayChange = may('changePeople')
  const [open, setOpen] = useState<Open | null>(null)
  const people = useCompanyQuery(PeopleDocument, {}, { enabled: may('readPeople') })
  const invite = mayChange ? (
    <Button kind="primary" onClick={() => setOpen({ dialog: 'invite' })}>
      Invite
    </Button>
  ) : null
  const ownSessions = asCompany === null
  const description = !may('readPeople')
    ? 'Where you are signed in.'
    : `Who works in the company${ownSessions ? ', and where you are signed in' : ''}.`
  return (
    <Page title="People" description={description} action={invite}>
      {may('readPeople') && (
        <>
          {people.error && <ErrorBox error={people.error} onRetry={() => void people.refetch()} />}
          <Card title="Members">
            {people.isPending && <Skeleton lines={4} />}
            {people.data?.users.length === 0 && (
              <EmptyState title="No members yet" action={invite}>
                Invite the people who create keys, pay invoices or audit the ledger.
              </EmptyState>
            )}
            {people.data && people.data.users.length > 0 && (
              <MemberTable users={people.data.users} mayChange={mayChange} onAct={setOpen} />
            )}
          </Card>
          <Card title="Invitations">
            {people.isPending && <Skeleton lines={2} />}
            {people.data?.invitations.length === 0 && (
              <EmptyState title="No open invitations">
                Invited people get a link by mail that works once, within 7 days.
              </EmptyState>
            )}
            {people.data && people.data.invitations.length > 0 && (
              <InvitationTable
                invitations={people.data.invitations}
                users={people.data.users}
                mayChange={mayChange}
                onAct={setOpen}
              />
            )}
          </Card>
        </>
      )}
      {asCompany === null && <SessionsCard />}
      {open && <Dialogs open={open} onClose={() => setOpen(null)} />}
    </Page>
  )
}

function Dialogs({ open, onClose }: { readonly open: Open; readonly onClose: () => void }) {
  switch (open.dialog) {
    case 'invite':
      return <InviteDialog onClose={onClose} />
    case 'role':
      return <RoleDialog user={open.user} onClose={onClose} />
    case 'remove':
      return <RemoveDialog user={open.user} onClose={onClose} />
    case 'withdraw':
      return <WithdrawDialog invitation={open.invitation} onClose={onClose} />
  }
}
