export const CATEGORIES = [
  'ledger',
  'apiKey',
  'pricing',
  'company',
  'user',
  'plan',
  'creditPack',
  'purchase',
  'topUp',
  'subscription',
  'invoice',
  'dispute',
  'difference',
  'webhook',
  'job',
  'talent',
  'document',
  'meeting',
  'task',
  'generator',
  'log',
] as const
export type Category = (typeof CATEGORIES)[number]

export type StreamName<C extends Category = Category> = `${C}-${string}`

/** The prices of all companies. */
export const PRICING_STREAM: StreamName<'pricing'> = 'pricing-book'

/** The checkpoints of the transparency log. */
export const CHECKPOINTS_STREAM: StreamName<'log'> = 'log-checkpoints'

/** Events that operators have put back after tampering. */
export const REPAIRS_STREAM: StreamName<'log'> = 'log-repairs'

export function streamName<C extends Category>(category: C, id: string): StreamName<C> {
  return `${category}-${id}`
}

/** The stream of the prices of one company, or of all companies if it is null. */
export function pricingStream(companyId: string | null): StreamName<'pricing'> {
  return companyId === null ? PRICING_STREAM : streamName('pricing', companyId)
}

export function categoryOf(stream: string): string {
  const dash = stream.indexOf('-')
  return dash === -1 ? stream : stream.slice(0, dash)
}
