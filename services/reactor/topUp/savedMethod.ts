import { type CommandHandler, REACTOR } from '../../../capabilities/commands/commandHandler.ts'
import { ownId } from '../../../capabilities/payments/providerObjects.ts'
import { SAVE_METHOD, type SavedPayments } from '../../../capabilities/payments/savedPayments.ts'
import { handleTopUp } from './handleTopUp.ts'

export type MethodSaving = {
  readonly commands: CommandHandler
  readonly savedPayments: Pick<SavedPayments, 'methodOf'>
}

type PaidSession = {
  readonly payment_intent: string | null
  readonly metadata?: Readonly<Record<string, string>> | null | undefined
}

/** Records the payment method of a paid checkout, if its buyer agreed to that. */
export async function recordSavedMethod(
  { commands, savedPayments }: MethodSaving,
  { payment_intent: intent, metadata }: PaidSession,
  { purchaseId, companyId, at }: { readonly purchaseId: string; readonly companyId: string; readonly at: string },
): Promise<void> {
  const userId = ownId(metadata?.userId)
  if (metadata?.savePaymentMethod !== SAVE_METHOD.savePaymentMethod || intent === null || userId === null) return
  const method = await savedPayments.methodOf(intent)
  if (!method) return
  const id = `save method:${purchaseId}`
  const command = { type: 'SaveMethod', companyId, ...method, purchaseId, userId, at } as const
  await handleTopUp({ commands }, command, { commandId: id, correlationId: id, actor: REACTOR })
}
