const LOCAL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const LOCAL_DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const SHORT_DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const AGO = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'long' })
/** "Last month" would be the month before this one, and not a month ago. */
const AGO_COUNTED = new Intl.RelativeTimeFormat(undefined, { numeric: 'always', style: 'long' })

export function localTime(iso: string): string {
  return LOCAL.format(new Date(iso))
}

/** Formats a UTC day without converting it to local time, where it might begin on the day before. */
export function utcDay(iso: string): string {
  return LOCAL_DAY.format(sameDayHere(iso))
}

/** A short day for the axis of a chart, such as 19 Oct; empty if it is not a day. */
export function shortUtcDay(iso: string): string {
  return iso === '' ? '' : SHORT_DAY.format(sameDayHere(iso))
}

function sameDayHere(iso: string): Date {
  const [year = 0, month = 1, day = 1] = iso.slice(0, 10).split('-').map(Number)
  return new Date(year, month - 1, day)
}

export function utcTime(iso: string): string {
  return `${iso.replace('T', ' ').replace(/(\.\d+)?Z$/, '')} UTC`
}

const STEPS = [
  { unit: 'year', ms: 365 * 86_400_000 },
  { unit: 'month', ms: 30 * 86_400_000 },
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const

/** 3 minutes ago, in 2 days, 5 months ago. */
export function relativeTime(iso: string, nowMs: number): string {
  const ms = Date.parse(iso) - nowMs
  const step = STEPS.find((one) => Math.abs(ms) >= one.ms)
  if (!step) return ms > 0 ? 'in a moment' : 'just now'
  const format = step.unit === 'month' || step.unit === 'year' ? AGO_COUNTED : AGO
  return format.format(Math.trunc(ms / step.ms), step.unit)
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`
}
