export const CATEGORIES = [
  'ledger',
  'apiKey',
  'pricing',
  'company',
  'user',
  'plan',
  'creditPack',
  'purchase',
  'subscription',
  'invoice',
  'webhook',
  'job',
  'talent',
  'document',
  'meeting',
  'task',
  'generator',
] as const
export type Category = (typeof CATEGORIES)[number]

export type StreamName = `${Category}-${string}`

/** There is one price book for the whole installation. */
export const PRICING_STREAM: StreamName = 'pricing-book'

export function streamName(category: Category, id: string): StreamName {
  return `${category}-${id}`
}

export function categoryOf(stream: string): string {
  const dash = stream.indexOf('-')
  return dash === -1 ? stream : stream.slice(0, dash)
}
