import { randomUUID } from 'node:crypto'
import type { Runtime } from '../../../capabilities/installation.ts'
import type { EventOf } from '../../../contracts/events/eventsByCategory.ts'
import { WITHOUT_EXPIRY } from '../../../contracts/events/lotTerms.ts'
import type { Position } from '../../../contracts/position.ts'
import type { Category, StreamName } from '../../../contracts/streams.ts'
import { priorityOf } from '../../../domain/creditLots/burnOrder.ts'
import { type Decider, Refusal } from '../../../domain/decider.ts'
import { isoTime } from '../../../platform/clock/clock.ts'
import type { ChangedCategory } from '../../../platform/sharedState/companyChanges/port.ts'

const RETRY_MS = 500
const ACTOR = { kind: 'system', name: 'simulated admin' } as const

export type GrantWanted = {
  readonly companyId: string
  readonly micros: number
  readonly expiresAtMs: number | null
  readonly isPromotional: boolean
}

/** Sends commands as a backend does, each under one id until it is answered. */
export class AdminCommands {
  readonly #runtime: Runtime

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /** Each attempt is a request of its own, at its own time. */
  async handle<C extends Category, State, Command>(
    decider: Decider<State, Command, EventOf<C>>,
    stream: StreamName<C>,
    commandAt: (at: string) => Command,
  ): Promise<Position | null> {
    const commandId = randomUUID()
    const context = { commandId, correlationId: commandId, actor: ACTOR }
    const { clock, engines } = this.#runtime
    const { position } = await this.#untilDone(() =>
      engines.commands.handle(decider, stream, commandAt(isoTime(clock.now())), context),
    )
    return position
  }

  /** As the backend does: promotional credits have a priority of their own. */
  async grant({ companyId, micros, expiresAtMs, isPromotional }: GrantWanted): Promise<void> {
    const { clock, engines } = this.#runtime
    const grantId = randomUUID()
    const source = isPromotional ? 'PROMOTION' : 'ADJUSTMENT'
    const grant = { companyId, grantId, source, amountMicros: BigInt(micros), reason: 'simulated' } as const
    const expiresAt = expiresAtMs === null ? null : isoTime(expiresAtMs)
    const lot = { ...WITHOUT_EXPIRY, priority: priorityOf(source), expiresAt }
    const draft = engines.ledger.draft({ type: 'GrantCredits', ...grant, lot, at: isoTime(clock.now()) })
    const { position } = await this.#untilDone(() => engines.ledger.book(draft, grantId, ACTOR))
    await this.recordChange(companyId, 'ledger', position)
  }

  /** If it fails, gateways follow a moment later. */
  async recordChange(companyId: string, category: ChangedCategory, position: Position | null): Promise<void> {
    if (position === null) return
    await this.#runtime.engines.sharedState.companyChanges.record(companyId, category, position).catch(() => {})
  }

  async #untilDone<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (error instanceof Refusal) throw error
        await this.#runtime.clock.delay(RETRY_MS)
      }
    }
  }
}
