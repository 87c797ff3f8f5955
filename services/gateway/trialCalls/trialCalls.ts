import { finishTrialCall, type TrialCall, takeTrialCall } from '../../../capabilities/trialCalls/trialCallTable.ts'
import type { Clock, Timer } from '../../../platform/clock/clock.ts'
import { settlesWithin } from '../../../platform/clock/within.ts'
import type { Log } from '../../../platform/logger/logger.ts'
import type { Database } from '../../../projections/runner/ports.ts'
import { makeTrialCall, type TrialCallParts } from './trialCall.ts'

/** How often a gateway polls for trial calls; a person waits for the result. */
const TRIAL_CALLS_LOOK_MS = 1_000
/** A drain does not wait longer for a database that is away. */
const LAST_LOOK_MS_MAX = 1_000

export type TrialCallsOptions = {
  readonly database: Pick<Database, 'query'>
  readonly clock: Clock
  readonly log: Log
  /** The table in force, and what is redacted of its providers' texts. */
  readonly providers: () => Pick<TrialCallParts, 'table' | 'redaction'>
}

/**
 * Makes the trial calls that super admins ask for. Backends have neither the keys of providers nor a way to a gateway, so
 * they meet in a table, as they do for the gateways' reports: docs/decisions/0026-trial-calls-through-a-table.md.
 */
export class TrialCalls {
  readonly #options: TrialCallsOptions
  readonly #timer: Timer
  readonly #underWay = new Set<Promise<void>>()
  #looking: Promise<void> | null = null
  #isStopping = false

  constructor(options: TrialCallsOptions) {
    this.#options = options
    this.#timer = options.clock.every(TRIAL_CALLS_LOOK_MS, () => {
      // One poll at a time: none starts while another waits for the database.
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null
      })
    })
  }

  /** Waits for the calls in progress. If one takes longer, its result is lost, and the backend says so. */
  async stop(timeoutMs: number): Promise<void> {
    const { clock } = this.#options
    this.#timer.cancel()
    this.#isStopping = true
    if (this.#looking) await settlesWithin(this.#looking, LAST_LOOK_MS_MAX, clock)
    await settlesWithin(Promise.allSettled([...this.#underWay]), timeoutMs, clock)
  }

  /** Their number at once is limited by how many may be asked for in a minute. */
  async #look(): Promise<void> {
    const { database, log } = this.#options
    try {
      while (!this.#isStopping) {
        const call = await takeTrialCall(database)
        if (call === null) break
        const made = this.#make(call).finally(() => this.#underWay.delete(made))
        this.#underWay.add(made)
      }
    } catch (error) {
      // Calls of companies do not depend on it, and an outage of the database is logged by those that do.
      log.debug({ err: error }, 'trial calls could not be read')
    }
  }

  async #make(call: TrialCall): Promise<void> {
    const { database, clock, log, providers } = this.#options
    try {
      const result = await makeTrialCall(call, { clock, ...providers() })
      log.info({ ...call, ...result }, 'trial call finished')
      await finishTrialCall(database, call.callId, result)
    } catch (error) {
      log.error({ err: error, ...call }, 'trial call failed without a result')
    }
  }
}
