import { useState } from 'react'
import { ReadModelsDocument } from '../../graphql/generated.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { duration } from '../../parts/values/times.ts'
import { usePlatformQuery } from '../../shell/platform.ts'
import { mostUrgentFirst, type ReadModel, stateOfModel, stateOfModels } from './operationsWords.ts'

const LIVE_MS = 5_000
const PAGE_ROWS = 10

/** How far each read model is behind the event store. */
export function ReadModelCard() {
  const [rows, setRows] = useState(PAGE_ROWS)
  const models = usePlatformQuery(ReadModelsDocument, {}, { refetchInterval: LIVE_MS })
  const all = mostUrgentFirst(models.data?.readModels ?? [])
  const state = stateOfModels(all)
  return (
    <Card title="Read models" action={models.data && <Badge tone={state.tone}>{state.name}</Badge>}>
      {models.isPending && <Skeleton lines={6} />}
      {models.error && <ErrorBox error={models.error} onRetry={() => void models.refetch()} />}
      {all.length > 0 && (
        <Table
          label="Read models"
          columns={COLUMNS}
          rows={all.slice(0, rows)}
          rowId={({ name }) => name}
          foot={
            all.length > rows && (
              <Button onClick={() => setRows(all.length)}>Show the other {all.length - rows} read models</Button>
            )
          }
        />
      )}
    </Card>
  )
}

const COLUMNS: readonly Column<ReadModel>[] = [
  { id: 'name', header: 'Read model', place: 'main', cell: ({ name }) => <strong>{name}</strong> },
  {
    id: 'state',
    header: 'State',
    place: 'corner',
    cell: (model) => <Badge tone={stateOfModel(model).tone}>{stateOfModel(model).name}</Badge>,
  },
  {
    id: 'events',
    header: 'Events behind',
    align: 'right',
    cell: ({ lagEvents }) => <span className="number">{lagEvents === null ? '–' : lagEvents.toLocaleString()}</span>,
  },
  {
    id: 'time',
    header: 'Time behind',
    align: 'right',
    cell: ({ lagSeconds }) => (
      <span className="number">
        {lagSeconds === null ? '–' : lagSeconds === 0 ? '0 s' : duration(lagSeconds * 1_000)}
      </span>
    ),
  },
  {
    id: 'version',
    header: 'Version',
    align: 'right',
    cell: ({ version, currentVersion }) => (
      <span className="number">
        {version ?? '–'}
        {version !== null && version !== currentVersion && ` (this program: ${currentVersion})`}
      </span>
    ),
  },
  {
    id: 'moved',
    header: 'Last moved',
    cell: ({ movedAt }) => (movedAt === null ? <span className="muted">Not yet</span> : <Time at={movedAt} relative />),
  },
]
