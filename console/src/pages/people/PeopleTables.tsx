import type { PeopleQuery } from '../../graphql/generated.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Menu } from '../../parts/Menu.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { useViewer } from '../../shell/viewer.ts'
import { mayManage, nameOfRole, ROLE_HINTS } from './roleWords.ts'

export type Member = PeopleQuery['users'][number]
export type Invitation = PeopleQuery['invitations'][number]
export type PersonAction =
  | { readonly dialog: 'role' | 'remove'; readonly user: Member }
  | { readonly dialog: 'withdraw'; readonly invitation: Invitation }

type Acting = { readonly mayChange: boolean; readonly onAct: (action: PersonAction) => void }

export function MemberTable({ users, mayChange, onAct }: Acting & { readonly users: readonly Member[] }) {
  const { user: own } = useViewer()
  const columns: Column<Member>[] = [
    {
      id: 'email',
      header: 'Person',
      place: 'main',
      sort: ({ email }) => email.toLowerCase(),
      cell: ({ id, email }) => (
        <span className="row">
          <strong>{email}</strong>
          {id === own.id && <Badge>you</Badge>}
        </span>
      ),
    },
    {
      id: 'role',
      header: 'Role',
      sort: ({ role }) => nameOfRole(role),
      cell: ({ role }) => (
        <div>
          <div>{nameOfRole(role)}</div>
          {role && <div className="muted small">{ROLE_HINTS[role]}</div>}
        </div>
      ),
    },
  ]
  if (mayChange)
    columns.push({
      id: 'act',
      header: '',
      place: 'corner',
      cell: (user) =>
        user.id !== own.id &&
        mayManage(own.role, user.role) && (
          <Menu
            trigger={
              <Button kind="quiet" icon aria-label={`Actions for ${user.email}`}>
                ⋯
              </Button>
            }
            items={[
              { label: 'Change role', onPick: () => onAct({ dialog: 'role', user }) },
              { label: 'Remove', danger: true, onPick: () => onAct({ dialog: 'remove', user }) },
            ]}
          />
        ),
    })
  return <Table label="Members" columns={columns} rows={users} rowId={({ id }) => id} />
}

type InvitationProps = Acting & {
  readonly invitations: readonly Invitation[]
  readonly users: readonly Member[]
}

export function InvitationTable({ invitations, users, mayChange, onAct }: InvitationProps) {
  const columns: Column<Invitation>[] = [
    {
      id: 'email',
      header: 'Invited',
      place: 'main',
      cell: ({ email, expired }) => (
        <span className="row">
          <strong>{email}</strong>
          {expired && <Badge tone="warning">expired</Badge>}
        </span>
      ),
    },
    { id: 'role', header: 'Role', cell: ({ role }) => nameOfRole(role) },
    {
      id: 'by',
      header: 'By',
      cell: ({ invitedBy }) => users.find(({ id }) => id === invitedBy)?.email ?? 'a former member',
    },
    { id: 'expires', header: 'Link expires', cell: ({ expiresAt }) => <Time at={expiresAt} relative /> },
  ]
  if (mayChange)
    columns.push({
      id: 'act',
      header: '',
      align: 'right',
      cell: (invitation) => (
        <Button
          aria-label={`Withdraw the invitation of ${invitation.email}`}
          onClick={() => onAct({ dialog: 'withdraw', invitation })}
        >
          Withdraw
        </Button>
      ),
    })
  return <Table label="Invitations" columns={columns} rows={invitations} rowId={({ id }) => id} />
}
