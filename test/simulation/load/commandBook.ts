import { GraphQLError } from 'graphql'
import { Refusal } from '../../../domain/decider.ts'
import type { Simulation } from '../simulation.ts'

/** unknown: there was no answer, or one that leaves open whether it was carried out. */
export type CommandOutcome = 'done' | 'refused' | 'unknown'

export type Command = {
  readonly atMs: number
  readonly kind: string
  /** What it was about, such as companyId. */
  readonly ids: Readonly<Record<string, string>>
  /** What was asked for. */
  readonly input: unknown
  outcome: CommandOutcome
  answeredMs: number | null
  /** What was answered, if it is done. */
  answer: unknown
}

/** What was asked of the installation, and how it was answered. */
export class CommandBook {
  readonly commands: Command[] = []
  readonly #simulation: Simulation

  constructor(simulation: Simulation) {
    this.#simulation = simulation
  }

  /** Carries it out and writes down how it ended. Returns null if it was not done. */
  async command<Answer>(
    kind: string,
    ids: Readonly<Record<string, string>>,
    input: unknown,
    work: () => Promise<Answer>,
  ): Promise<Answer | null> {
    const { scheduler, counters } = this.#simulation
    const entry: Command = {
      ...{ atMs: scheduler.nowMs, kind, ids, input },
      ...{ outcome: 'unknown', answeredMs: null, answer: null },
    }
    this.commands.push(entry)
    try {
      const answer = await work()
      entry.outcome = 'done'
      entry.answer = answer
      counters.hit(`${kind} is done`)
      return answer
    } catch (error) {
      const isRefused = error instanceof Refusal || error instanceof GraphQLError
      entry.outcome = isRefused ? 'refused' : 'unknown'
      scheduler.record(`${kind} fails: ${String(error)}`)
      counters.hit(`${kind} is ${isRefused ? 'refused' : 'of unknown outcome'}`)
      return null
    } finally {
      entry.answeredMs = scheduler.nowMs
    }
  }

  of(kind: string): readonly Command[] {
    return this.commands.filter((command) => command.kind === kind)
  }
}
