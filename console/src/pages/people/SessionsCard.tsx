import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { execute } from '../../api/execute.ts'
import { useChange } from '../../api/useChange.ts'
import {
  EndSessionDocument,
  SessionsDocument,
  type SessionsQuery,
  SignOutEverywhereDocument,
} from '../../graphql/generated.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/values/Time.tsx'

type Session = SessionsQuery['sessions'][number]

/** The user's sessions in all browsers. */
export function SessionsCard() {
  const [isConfirming, setConfirming] = useState(false)
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['sessions'],
    queryFn: () => execute(SessionsDocument, {}),
  })
  const end = useChange(EndSessionDocument, 'sessions')
  const columns: Column<Session>[] = [
    {
      id: 'device',
      header: 'Browser',
      place: 'main',
      cell: ({ device, network, isCurrent }) => (
        <div>
          <span className="row">
            <strong>{device}</strong>
            {isCurrent && <Badge tone="good">this one</Badge>}
          </span>
          <div className="muted small">{network}</div>
        </div>
      ),
    },
    { id: 'created', header: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt} relative /> },
    { id: 'used', header: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} relative /> },
    { id: 'expires', header: 'Expires if unused', cell: ({ expiresAt }) => <Time at={expiresAt} relative /> },
    {
      id: 'act',
      header: '',
      align: 'right',
      cell: ({ id, device, isCurrent }) =>
        !isCurrent && (
          <Button
            aria-label={`Sign out ${device}`}
            busy={end.isPending && end.variables.id === id}
            onClick={() => end.mutate({ id })}
          >
            Sign out
          </Button>
        ),
    },
  ]
  return (
    <Card title="Your sessions" action={<Button onClick={() => setConfirming(true)}>Sign out everywhere</Button>}>
      {isPending && <Skeleton lines={3} />}
      {error && <ErrorBox error={error} onRetry={() => void refetch()} />}
      {end.error ? <ErrorBox error={end.error} /> : null}
      {data && <Table label="Sessions" columns={columns} rows={data.sessions} rowId={({ id }) => id} />}
      {isConfirming && <EverywhereDialog onClose={() => setConfirming(false)} />}
    </Card>
  )
}

function EverywhereDialog({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const leaving = useMutation({
    mutationFn: () => execute(SignOutEverywhereDocument, {}),
    onSuccess: async () => {
      queries.clear()
      await navigate({ to: '/sign-in', search: {} })
    },
  })
  return (
    <ConfirmDialog
      title="Sign out everywhere?"
      action="Sign out everywhere"
      danger
      change={leaving}
      onConfirm={() => leaving.mutate()}
      onClose={onClose}
    >
      <p>You are signed out in all browsers, including this one, and your access tokens stop working.</p>
    </ConfirmDialog>
  )
}
