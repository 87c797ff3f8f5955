import { useMemo, useState } from 'react'
import { nowMs } from '../../api/now.ts'
import { BalanceAtDocument } from '../../graphql/generated.ts'
import { Card } from '../../parts/Card.tsx'
import { ErrorBox } from '../../parts/ErrorBox.tsx'
import { Field } from '../../parts/Field.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Money } from '../../parts/values/Money.tsx'
import { Time } from '../../parts/values/Time.tsx'
import { localTime, utcTime } from '../../parts/values/times.ts'
import { useCompanyQuery } from '../../shell/viewer.ts'
import { BALANCE_CURVE, bounds, curveAmounts, curvePath, curveTimes, curveVariables } from './curve.ts'
import './curve.css'
import type { Period } from './statementSearch.ts'

const [WIDTH, HEIGHT] = [1_000, 160]
/** The number of steps on the slider. */
const STEPS = 500

/** The balance over a period, and at any moment in it. The caller sets a React key, so that each period gets a new card. */
export function BalanceCard({ period }: { readonly period: Period }) {
  const fromMs = Date.parse(period.from)
  // The end is fixed once; otherwise every render would shift all points of the curve.
  const [endMs] = useState(() => Math.max(fromMs + 1, Math.min(Date.parse(period.to), nowMs())))
  const [atMs, setAtMs] = useState(endMs)
  const [shownMs, setShownMs] = useState(endMs)
  const times = useMemo(() => curveTimes(fromMs, endMs), [fromMs, endMs])
  const curve = useCompanyQuery(BALANCE_CURVE, curveVariables(times))
  const at = new Date(atMs).toISOString()
  const balance = useCompanyQuery(BalanceAtDocument, { at })
  const pick = (ms: number) => {
    setShownMs(ms)
    setAtMs(ms)
  }
  const error = curve.error ?? balance.error
  return (
    <Card title="Balance at any moment">
      <div className="inside stack">
        {error && <ErrorBox error={error} onRetry={() => void Promise.all([curve.refetch(), balance.refetch()])} />}
        {curve.isPending && <Skeleton lines={4} />}
        {curve.data && (
          <figure>
            <div className="curve">
              <Picture amounts={curveAmounts(curve.data)} />
              <input
                type="range"
                aria-label="Moment on the balance curve"
                aria-valuetext={localTime(new Date(shownMs).toISOString())}
                min={0}
                max={STEPS}
                value={Math.round(((shownMs - fromMs) / (endMs - fromMs)) * STEPS)}
                onChange={({ target }) =>
                  setShownMs(Math.round(fromMs + ((endMs - fromMs) * Number(target.value)) / STEPS))
                }
                onPointerUp={() => setAtMs(shownMs)}
                onKeyUp={() => setAtMs(shownMs)}
              />
            </div>
            <div className="spread curve-ends">
              <Time at={period.from} />
              <Time at={new Date(endMs).toISOString()} />
            </div>
          </figure>
        )}
        <div className="spread">
          <div className="moment">
            <Field
              label="Moment (UTC)"
              type="datetime-local"
              step={1}
              value={new Date(shownMs).toISOString().slice(0, 19)}
              onChange={({ target }) => {
                const ms = Date.parse(`${target.value}Z`)
                if (!Number.isNaN(ms)) pick(ms)
              }}
            />
          </div>
          <p aria-live="polite">
            {balance.data && (
              <>
                <strong>
                  <Money micros={balance.data.creditBalance.amountMicros} />
                </strong>{' '}
                credits at <Time at={at} /> ({utcTime(at)})
              </>
            )}
          </p>
        </div>
      </div>
    </Card>
  )
}

function Picture({ amounts }: { readonly amounts: readonly bigint[] }) {
  const line = curvePath(amounts, WIDTH, HEIGHT)
  const { low, high } = bounds(amounts)
  const zero = HEIGHT - (HEIGHT * Number(-low)) / (Number(high - low) || 1)
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path className="area" d={`${line}L${WIDTH} ${zero}L0 ${zero}Z`} />
      <path className="line" d={line} />
    </svg>
  )
}
