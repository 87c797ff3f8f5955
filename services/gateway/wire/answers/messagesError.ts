import type { ErrorEnvelope } from '../../../../contracts/errors.ts'

/** An error as clients of the Messages API read it. */
export function messagesError({ error: { type, message, code, param } }: ErrorEnvelope) {
  return { type: 'error', error: { type, message, code, ...(param === undefined ? {} : { param }) } } as const
}

/** The same as the event that ends a stream which failed. */
export function errorEvent(error: ErrorEnvelope): string {
  return `event: error\ndata: ${JSON.stringify(messagesError(error))}\n\n`
}
