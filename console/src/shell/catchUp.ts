/** The state of the read models according to `/health`. */
export type ReadModels = {
  /** Those that are far behind the ledger. */
  readonly behind: readonly string[]
  /** Those that no longer follow the ledger, or that have to be rebuilt. */
  readonly stopped: readonly string[]
  readonly percent: number
  /** null while the speed is not known. */
  readonly secondsLeft: number | null
}

/** The read models of `/health`; null for an answer without them. */
export function readModelsIn(health: unknown): ReadModels | null {
  const { components } = (health ?? {}) as { components?: { read_models?: Record<string, unknown> } }
  const { behind, percent, seconds_left: secondsLeft, needs_rebuild, stopped } = components?.read_models ?? {}
  if (!Array.isArray(behind) || typeof percent !== 'number') return null
  const all = [needs_rebuild, stopped].flatMap((names) => (Array.isArray(names) ? names : []))
  return { behind, stopped: all, percent, secondsLeft: typeof secondsLeft === 'number' ? secondsLeft : null }
}

/** The read models of balances, keys and prices. They are up to date before the server serves pages. */
const DECIDING = ['credit-balances', 'api-keys', 'key-spend', 'companies', 'invoices', 'price-books']

/** Says which figures are no longer updated; null if all are. */
export function stoppedWords({ stopped }: Pick<ReadModels, 'stopped'>): string | null {
  if (stopped.length === 0) return null
  return `They lack the newest entries until an operator repairs these read models: ${stopped.join(', ')}.`
}

/** Says how far the figures are; null if they are current. */
export function catchUpWords({ behind, percent, secondsLeft }: Omit<ReadModels, 'stopped'>): string | null {
  if (behind.length === 0) return null
  const left = secondsLeft === null ? '' : `, ${timeLeft(secondsLeft)} left`
  const current = DECIDING.some((name) => behind.includes(name)) ? '' : ' Balances, keys and prices are current.'
  return `${Math.floor(percent)} % of the ledger is read${left}. Until then lists and sums may lack the newest entries.${current}`
}

function timeLeft(seconds: number): string {
  if (seconds < 60) return 'less than a minute'
  const minutes = Math.round(seconds / 60)
  return minutes === 1 ? 'about a minute' : `about ${minutes.toLocaleString()} minutes`
}
