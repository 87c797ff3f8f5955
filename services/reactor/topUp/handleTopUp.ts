import type { CommandContext, CommandHandler } from '../../../capabilities/commands/commandHandler.ts'
import { streamName } from '../../../contracts/streams.ts'
import { type TopUpCommand, topUpDecider } from '../../../domain/topUp/decider.ts'

/** Decides a command on the stream of its company. */
export async function handleTopUp(
  { commands }: { readonly commands: CommandHandler },
  command: TopUpCommand,
  context: CommandContext,
): Promise<void> {
  await commands.handle(topUpDecider, streamName('topUp', command.companyId), command, context)
}
