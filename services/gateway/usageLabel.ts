import type { IncomingMessage } from 'node:http'
import { isUsageLabel, USAGE_LABEL_RULE } from '../../contracts/usageLabel.ts'
import { invalidRequest } from './gatewayError.ts'

/** The label of a request: its own, or that of its key. */
export function usageLabelOf({ headers }: Pick<IncomingMessage, 'headers'>, ofKey: string | null): string | null {
  const label = headers['x-usage-label']
  if (label === undefined) return ofKey
  if (typeof label === 'string' && isUsageLabel(label)) return label
  throw invalidRequest(`The header 'x-usage-label' must be ${USAGE_LABEL_RULE}.`)
}
