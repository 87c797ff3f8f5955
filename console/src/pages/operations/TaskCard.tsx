import { useChange } from '../../api/useChange.ts'
import { ParkedTasksDocument, type ParkedTasksQuery, RequeueTaskDocument } from '../../graphql/generated.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { useShownRows } from '../../parts/useShownRows.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { PLATFORM, usePlatformQuery } from '../../shell/platform.ts'

type Task = ParkedTasksQuery['parkedTasks'][number]

const LIVE_MS = 10_000
/** The refetch interval while a requeued task is still listed: most are done within a second. */
const REQUEUED_LIVE_MS = 1_000
const PAGE_ROWS = 10

/** Tasks that failed too often and wait for an operator. */
export function TaskCard() {
  const tasks = usePlatformQuery(
    ParkedTasksDocument,
    {},
    {
      refetchInterval: ({ state }) =>
        state.data?.parkedTasks.some(({ status }) => status === 'REQUEUED') ? REQUEUED_LIVE_MS : LIVE_MS,
    },
  )
  const requeue = useChange(RequeueTaskDocument, PLATFORM)
  const all = tasks.data?.parkedTasks ?? []
  const { shown, more } = useShownRows(all, { pageRows: PAGE_ROWS, label: 'Show more tasks' })
  const busyId = requeue.isPending ? requeue.variables.id : null
  const columns: Column<Task>[] = [
    { id: 'worker', header: 'Worker', place: 'main', cell: ({ worker }) => <strong>{worker}</strong> },
    { id: 'subject', header: 'About', cell: ({ subject }) => <span className="anywhere">{subject}</span> },
    { id: 'error', header: 'Error', cell: ({ error }) => <span className="anywhere">{error}</span> },
    { id: 'attempts', header: 'Attempts', align: 'right', cell: ({ attempts }) => attempts },
    { id: 'parked', header: 'Parked', cell: ({ parkedAt }) => <Time at={parkedAt} relative /> },
    {
      id: 'act',
      header: '',
      place: 'corner',
      cell: (task) =>
        task.status === 'PARKED' ? (
          <Button
            busy={busyId === task.id}
            aria-label={`Try again: ${task.worker} ${task.subject}`}
            onClick={() => requeue.mutate({ id: task.id })}
          >
            Try again
          </Button>
        ) : (
          <Badge>Requeued</Badge>
        ),
    },
  ]
  return (
    <Card title="Parked tasks">
      {tasks.isPending && <Skeleton lines={3} />}
      {tasks.error && <ErrorBox error={tasks.error} onRetry={() => void tasks.refetch()} />}
      {requeue.error && <ErrorBox error={requeue.error} />}
      {tasks.data && all.length === 0 && (
        <EmptyState title="No parked tasks">
          Tasks that keep failing, such as mails that no server accepts, wait here until somebody retries them.
        </EmptyState>
      )}
      {all.length > 0 && (
        <Table label="Parked tasks" columns={columns} rows={shown} rowId={({ id }) => id} foot={more} />
      )}
    </Card>
  )
}
