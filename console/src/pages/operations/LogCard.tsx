import { useEffect, useState } from 'react'
import type { ApiError } from '../../api/apiError.ts'
import { subscribe } from '../../api/subscribe.ts'
import { LogStreamDocument } from '../../graphql/generated.ts'
import { Badge, type Tone } from '../../parts/Badge.tsx'
import { Button } from '../../parts/Button.tsx'
import { Card } from '../../parts/Card.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Field, SelectField } from '../../parts/Field.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { fieldsOf, LEVELS, type Level, LINES_MAX, type LogLine, matches, received } from './logLines.ts'

/** Entries shown at a time: few enough to redraw with every new entry. */
const SHOWN_MAX = 100

const TONES: Readonly<Record<string, Tone>> = { warn: 'warning', error: 'danger', fatal: 'danger' }

/** The live log of all services. Nothing is received while it is paused. */
export function LogCard() {
  const [isPaused, setPaused] = useState(false)
  const [isConnected, setConnected] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const [lines, setLines] = useState<readonly LogLine[]>([])
  const [level, setLevel] = useState<Level>('info')
  const [text, setText] = useState('')
  useEffect(() => {
    if (isPaused) return
    setError(null)
    setConnected(false)
    return subscribe(
      LogStreamDocument,
      {},
      {
        onNext: ({ logStream }) => setLines((before) => received(before, logStream)),
        onError: (fault) => {
          setError(fault)
          setPaused(true)
        },
        onConnected: setConnected,
      },
    )
  }, [isPaused])
  const found = lines.filter((line) => matches(line, { level, text }))
  const state = isPaused ? 'Paused' : isConnected ? 'Live' : 'Connecting'
  return (
    <Card
      title="Log"
      action={
        <span className="row">
          <Badge tone={state === 'Live' ? 'good' : 'plain'}>{state}</Badge>
          <Button onClick={() => setLines([])} disabled={lines.length === 0}>
            Clear
          </Button>
          <Button onClick={() => setPaused((before) => !before)}>{isPaused ? 'Go on' : 'Pause'}</Button>
        </span>
      }
    >
      <div className="inside filters">
        <SelectField
          label="Minimum level"
          value={level}
          options={LEVELS.map((value) => ({ value, label: value }))}
          onPick={(value) => setLevel(value as Level)}
        />
        <Field
          label="Text"
          placeholder="Message or field"
          autoComplete="off"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      {error && <ErrorBox error={error} onRetry={() => setPaused(false)} />}
      {found.length === 0 ? (
        <EmptyState title={lines.length === 0 ? 'Nothing logged yet' : 'No entry matches'}>
          Entries appear here from the moment the page is open. The page keeps the last {LINES_MAX}; the log files of
          the services have them all.
        </EmptyState>
      ) : (
        <Lines of={found.slice(0, SHOWN_MAX)} />
      )}
      {found.length > SHOWN_MAX && (
        <p className="table-foot muted small">
          The newest {SHOWN_MAX} of {found.length} entries. Use the filters to see others.
        </p>
      )}
    </Card>
  )
}

function Lines({ of: lines }: { readonly of: readonly LogLine[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <section className="log" aria-label="Log entries" tabIndex={0}>
      <ol>
        {lines.map((line) => (
          <li key={line.number} className="line">
            <Time at={line.timestamp} />
            <Badge tone={TONES[line.level] ?? 'plain'}>{line.level}</Badge>
            <span className="muted">{String(line.context.service ?? '')}</span>
            <span className="words">
              {line.message} <code className="muted">{fieldsOf(line)}</code>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
