import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { type Column, Table } from '../Table.tsx'
import { shortCredits } from '../values/credits.ts'
import { Money } from '../values/Money.tsx'
import { shortUtcDay, utcDay } from '../values/times.ts'
import { SERIES_MAX, type Series } from './series.ts'

/** The day under the pointer, and where the middle of its bar is. */
type Pointed = { readonly day: number; readonly barPx: number; readonly widthPx: number }

type Props = {
  readonly label: string
  /** The start of each UTC day, as ISO times. */
  readonly days: readonly string[]
  /** The first is at the bottom of the stack. At most as many as there are colours. */
  readonly series: readonly Series[]
}

const HEIGHT = 220
/** Between a bar's middle and its figures. */
const BESIDE_PX = 24

/** A stacked chart of credits per day, followed by the same numbers as a table for people who cannot see the chart. */
export function Chart({ label, days, series }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState<Pointed | null>(null)
  const [scheme, setScheme] = useState(0)
  const [isOpen, setOpen] = useState(false)
  // New arrays with the same numbers give the same chart.
  const content = [...days, ...series.map(({ name, micros }) => `${name} ${micros}`)].join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content stands for both, and the colours are read again when the scheme changes.
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const plot = new uPlot(optionsOf(element, days, series, setAt), dataOf(days, series), element)
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }))
    watch.observe(element)
    return () => {
      watch.disconnect()
      plot.destroy()
    }
  }, [content, scheme])
  useEffect(() => {
    const again = () => setScheme((before) => before + 1)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', again)
    const theme = new MutationObserver(again)
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      dark.removeEventListener('change', again)
      theme.disconnect()
    }
  }, [])
  return (
    <figure className="stack">
      <div className="chart" ref={frame} role="img" aria-label={label}>
        {at && <Readout days={days} series={series} {...at} />}
      </div>
      <Legend series={series} />
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>Show as a table</summary>
        {isOpen && <DayTable days={days} series={series} />}
      </details>
    </figure>
  )
}

function Legend({ series }: Pick<Props, 'series'>) {
  return (
    <ul className="legend">
      {series.map(({ name }, n) => (
        <li key={name}>
          <span className="swatch" style={{ background: colourName(n) }} />
          {name}
        </li>
      ))}
    </ul>
  )
}

function Readout({ days, series, day, barPx, widthPx }: Pick<Props, 'days' | 'series'> & Pointed) {
  const used = series
    .map((one, n) => ({ ...one, n, amount: one.micros[day] ?? 0n }))
    .filter(({ amount }) => amount > 0n)
  const total = used.reduce((sum, { amount }) => sum + amount, 0n)
  const isRight = barPx > widthPx / 2
  return (
    <div className="readout" style={isRight ? { right: widthPx - barPx + BESIDE_PX } : { left: barPx + BESIDE_PX }}>
      <strong>{utcDay(days[day] ?? '')}</strong>
      <ul>
        {used.length === 0 && <li>No calls</li>}
        {used.toReversed().map(({ name, amount, n }) => (
          <li key={name}>
            <span className="swatch" style={{ background: colourName(n) }} />
            {name}
            <Money micros={amount} short />
          </li>
        ))}
        {used.length > 1 && (
          <li>
            <strong>Total</strong>
            <Money micros={total} short />
          </li>
        )}
      </ul>
    </div>
  )
}

type DayRow = { readonly day: string; readonly n: number }

function DayTable({ days, series }: Pick<Props, 'days' | 'series'>) {
  const columns: Column<DayRow>[] = [
    { id: 'day', header: 'Day (UTC)', place: 'main', cell: ({ day }) => <strong>{utcDay(day)}</strong> },
    ...series.map(
      ({ name, micros }): Column<DayRow> => ({
        id: `of ${name}`,
        header: name,
        align: 'right',
        cell: ({ n }) => <Money micros={micros[n] ?? 0n} />,
      }),
    ),
  ]
  return (
    <Table
      label="Credits per day"
      columns={columns}
      rows={days.map((day, n) => ({ day, n }))}
      rowId={({ day }) => day}
    />
  )
}

const colourName = (n: number) => `var(--series-${Math.min(n, SERIES_MAX - 1) + 1})`

/** Floating-point sums are exact enough for pixels. */
function dataOf(days: readonly string[], series: readonly Series[]): uPlot.AlignedData {
  const sums = days.map(() => 0)
  const stacked = series.map(({ micros }) =>
    days.map((_, n) => {
      sums[n] = (sums[n] ?? 0) + Number(micros[n] ?? 0n) / 1_000_000
      return sums[n]
    }),
  )
  // The highest sum is drawn first, and the lower ones on top of it.
  return [days.map((_, n) => n), ...stacked.toReversed()] as uPlot.AlignedData
}

function optionsOf(
  element: HTMLElement,
  days: readonly string[],
  series: readonly Series[],
  onMove: (at: Pointed | null) => void,
): uPlot.Options {
  const style = getComputedStyle(element)
  const colour = colourReader(element)
  const [muted, line] = [colour('--muted'), colour('--line')]
  const axis = { stroke: muted, font: `11px ${style.fontFamily}`, ticks: { show: false } }
  const bars = uPlot.paths.bars?.({ size: [0.7, 40], radius: 0.15 })
  return {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [8, 4, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: [-0.6, days.length - 0.4] },
      y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      {
        ...axis,
        size: 26,
        grid: { show: false },
        values: (_plot, splits) => splits.map((n) => shortUtcDay(days[n] ?? '')),
      },
      {
        ...axis,
        size: 56,
        grid: { stroke: line, width: 1 },
        values: (_plot, splits) =>
          splits.map((value) => shortCredits(BigInt(Math.round(value * 1_000_000))).replace(/\.00$/, '')),
      },
    ],
    series: [
      {},
      ...series.toReversed().map((_, n) => {
        const own = colour(`--series-${Math.min(series.length - 1 - n, SERIES_MAX - 1) + 1}`)
        return { fill: own, stroke: own, width: 0, points: { show: false }, ...(bars ? { paths: bars } : {}) }
      }),
    ],
    hooks: {
      setCursor: [
        (plot) => {
          const { cursor, bbox, width: widthPx } = plot
          const day = cursor.idx
          if (day === null || day === undefined || (cursor.left ?? -1) < 0) return onMove(null)
          onMove({ day, barPx: plot.valToPos(day, 'x') + bbox.left / devicePixelRatio, widthPx })
        },
      ],
    },
  }
}

/** A canvas supports neither custom properties nor light-dark(), so an element resolves them. */
function colourReader(element: HTMLElement): (name: string) => string {
  return (name) => {
    const probe = document.createElement('span')
    probe.style.color = `var(${name})`
    element.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }
}
