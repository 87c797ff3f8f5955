/**
 * Automatic top-up by the rules of the issue and of the documents for admins: one pack for each fall below the threshold,
 * one payment at a time, within the ceiling of the calendar month in UTC; three declined payments in a row switch it off.
 */

export type TopUpPack = { readonly credits: number; readonly minor: number; readonly validDays: number | null }
export type Settings = { readonly threshold: number; readonly ceiling: number }
export type AttemptStatus = 'STARTED' | 'NEEDS_CONFIRMATION' | 'SUCCEEDED' | 'DECLINED' | 'GIVEN_UP'
export type Attempt = { readonly month: string; readonly minor: number; status: AttemptStatus }

const DECLINES_MAX = 3

export class TopUpLife {
  isOn = false
  #settings: Settings | null = null
  readonly attempts: Attempt[] = []
  #declines = 0
  /** All credits that had been granted when the last attempt began. */
  #triedAt: number | null = null
  /** The attempt failed, and its reason may be gone since the settings have changed. */
  #mayRepeat = false

  set(settings: Settings): void {
    const { threshold, ceiling } = this.#settings ?? {}
    if (this.isOn && settings.threshold === threshold && settings.ceiling === ceiling) return
    this.#settings = settings
    this.isOn = true
    this.#declines = 0
    const last = this.attempts.at(-1)?.status
    if (last === 'DECLINED' || last === 'GIVEN_UP') this.#mayRepeat = true
  }

  switchOff(): void {
    this.isOn = false
  }

  get running(): Attempt | null {
    return this.attempts.find(isRunning) ?? null
  }

  spentIn(month: string): number {
    const counted = this.attempts.filter((each) => each.month === month && countsAsSpent(each))
    return counted.reduce((sum, { minor }) => sum + minor, 0)
  }

  /** Starts an attempt if the balance has fallen. */
  start(pack: TopUpPack, { balance, grants, month }: { balance: number; grants: number; month: string }): boolean {
    if (!this.isOn || this.#settings === null || this.running) return false
    const isNewFall = this.#triedAt === null || grants > this.#triedAt || (this.#mayRepeat && grants === this.#triedAt)
    const { threshold, ceiling } = this.#settings
    if (balance >= threshold || !isNewFall || this.spentIn(month) + pack.minor > ceiling) return false
    this.#triedAt = grants
    this.#mayRepeat = false
    this.attempts.push({ month, minor: pack.minor, status: 'STARTED' })
    return true
  }

  end(attempt: Attempt, status: AttemptStatus): void {
    if (attempt.status === 'SUCCEEDED' || (!isRunning(attempt) && status !== 'SUCCEEDED')) return
    attempt.status = status
    if (status === 'SUCCEEDED') this.#declines = 0
    if (status === 'DECLINED' && ++this.#declines >= DECLINES_MAX) this.isOn = false
  }
}

function isRunning({ status }: Attempt): boolean {
  return status === 'STARTED' || status === 'NEEDS_CONFIRMATION'
}

function countsAsSpent(attempt: Attempt): boolean {
  return isRunning(attempt) || attempt.status === 'SUCCEEDED'
}
