import { type CommandHandler, REACTOR } from '../../../capabilities/commands/commandHandler.ts'
import { handleTopUp } from './handleTopUp.ts'

type Returned = { readonly companyId: string; readonly purchaseId: string; readonly at: string }

/**
 * Switches automatic top-up off if it has made the payment that was given back, once for each payment. It must come before
 * the credits are taken: the balance falls with them, and the next payment would begin at once.
 */
export function stopAfterReturn(
  { commands }: { readonly commands: CommandHandler },
  { companyId, purchaseId, at }: Returned,
): Promise<void> {
  const id = `topUp returned:${purchaseId}`
  const command = { type: 'StopAfterReturn', companyId, purchaseId, at } as const
  return handleTopUp({ commands }, command, { commandId: id, correlationId: id, actor: REACTOR })
}
