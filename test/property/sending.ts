import type { CommandContext, CommandHandler } from '../../capabilities/commands/commandHandler.ts'
import type { EventOf } from '../../contracts/events/eventsByCategory.ts'
import { type Category, streamName } from '../../contracts/streams.ts'
import type { Decider } from '../../domain/decider.ts'

/** What a step of a plan works with. */
export type StepParts = {
  readonly commands: CommandHandler
  readonly companyId: string
  readonly number: number
  readonly context: CommandContext
  /** Ids by name, the same for the same name. */
  id(...name: (string | number)[]): string
}

/** Sends commands to the streams of a category, all of the same intent. */
export function sending({ commands, context }: StepParts) {
  return async <C extends Category, State, Command>(
    category: C,
    of: string,
    decider: Decider<State, Command, EventOf<C>>,
    command: Command,
  ): Promise<void> => void (await commands.handle(decider, streamName(category, of), command, context))
}
