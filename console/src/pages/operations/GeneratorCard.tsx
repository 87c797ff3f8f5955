import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { execute } from '../../api/execute.ts'
import {
  GeneratorDocument,
  type GeneratorQuery,
  StartGeneratorDocument,
  StopGeneratorDocument,
} from '../../graphql/generated.ts'
import { Badge } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { duration } from '../../parts/values/times.ts'
import { PLATFORM, usePlatformQuery } from '../../shell/platform.ts'
import { BREAKERS } from '../models/modelWords.ts'
import { stateOfGenerator } from './operationsWords.ts'
import { StartGeneratorDialog } from './StartGeneratorDialog.tsx'

type Generator = GeneratorQuery['generator']
type Figures = NonNullable<Generator['figures']>

/** The process that runs the generator reports every second. */
const LIVE_MS = 2_000

/** The generator of match scores, which can be started and stopped here. */
export function GeneratorCard() {
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const generator = usePlatformQuery(GeneratorDocument, {}, { refetchInterval: LIVE_MS })
  const change = useMutation({
    mutationFn: async (starts: boolean) => {
      if (starts) await execute(StartGeneratorDocument, {})
      else await execute(StopGeneratorDocument, {})
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [PLATFORM, GeneratorDocument.toString()] }),
  })
  const found = generator.data?.generator
  return (
    <Card
      title="Match scores"
      action={
        found && (
          <Action
            of={found}
            busy={change.isPending && !isAsking}
            onChange={(starts) => (starts ? setAsking(true) : change.mutate(false))}
          />
        )
      }
    >
      {generator.isPending && <Skeleton lines={3} />}
      {generator.error && <ErrorBox error={generator.error} onRetry={() => void generator.refetch()} />}
      {change.error && !isAsking && <ErrorBox error={change.error} />}
      {found && (
        <p className="inside muted">
          {found.figures === null
            ? 'No AI service is running. A started generator resumes as soon as one is.'
            : 'While it runs, models score every pair of an active job and a talent. This installation pays for the calls.'}
        </p>
      )}
      {found?.figures && <FigureStrip batch={found.batch} figures={found.figures} />}
      {found && isAsking && (
        <StartGeneratorDialog
          figures={found.figures}
          change={change}
          onConfirm={() => change.mutate(true, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  )
}

type ActionProps = {
  readonly of: Generator
  readonly busy: boolean
  readonly onChange: (starts: boolean) => void
}

function Action({ of: generator, busy, onChange }: ActionProps) {
  const { name, tone } = stateOfGenerator(generator)
  const { isStarted } = generator
  return (
    <span className="row">
      <Badge tone={tone}>{name}</Badge>
      <Button busy={busy} onClick={() => onChange(!isStarted)}>
        {isStarted ? 'Stop the generator' : 'Start the generator'}
      </Button>
    </span>
  )
}

function FigureStrip({ batch, figures }: { readonly batch: number; readonly figures: Figures }) {
  const { matches, errors, errorPercent, matchesPerMinute, matchMs, queuedPairs, lastMatchAt, breaker } = figures
  const { name, tone } = BREAKERS[breaker]
  return (
    <dl className="inside strip">
      <Figure name="Batches">{batch.toLocaleString()}</Figure>
      <Figure name="Matches since the start">{matches.toLocaleString()}</Figure>
      <Figure name="Errors">
        {errors.toLocaleString()}
        {errors > 0 && <span className="muted"> ({errorPercent.toLocaleString()} %)</span>}
      </Figure>
      <Figure name="Matches per minute">{matchesPerMinute.toLocaleString()}</Figure>
      <Figure name="Time per match">{matches === 0 ? '–' : duration(matchMs)}</Figure>
      <Figure name="Pairs waiting">{queuedPairs.toLocaleString()}</Figure>
      <Figure name="Last match">
        {lastMatchAt === null ? <span className="muted">None</span> : <Time at={lastMatchAt} relative />}
      </Figure>
      <Figure name="Circuit breaker">
        <Badge tone={tone}>{name}</Badge>
      </Figure>
    </dl>
  )
}

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="number">{children}</dd>
    </div>
  )
}
