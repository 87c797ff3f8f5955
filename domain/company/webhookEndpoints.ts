import type { CompanyEvent } from '../../contracts/events/company.ts'
import { NOTICE_TYPES, type NoticeType } from '../../contracts/noticeTypes.ts'
import { Refusal, unexpected } from '../decider.ts'

export const WEBHOOK_ENDPOINTS_MAX = 10
export const WEBHOOK_URL_CHARS_MAX = 2_000
const REASON_CHARS_MAX = 200

type EndpointEvent = Extract<
  CompanyEvent,
  { type: 'WebhookEndpointCreated' | 'WebhookEndpointDisabled' | 'WebhookEndpointDeleted' }
>

export type WebhookEndpoint = {
  readonly url: string
  readonly types: readonly NoticeType[]
  readonly sealedSecret: string
  readonly createdAt: string
  /** null while messages are sent to it. */
  readonly disabled: { readonly at: string; readonly reason: string } | null
}

/** By id, without deleted ones. */
export type WebhookEndpoints = Readonly<Record<string, WebhookEndpoint>>

export function evolveWebhookEndpoints(endpoints: WebhookEndpoints = {}, event: EndpointEvent): WebhookEndpoints {
  const { endpointId } = event.data
  const { [endpointId]: endpoint, ...others } = endpoints
  switch (event.type) {
    case 'WebhookEndpointCreated': {
      const { url, types, sealedSecret, createdAt } = event.data
      return { ...endpoints, [endpointId]: { url, types, sealedSecret, createdAt, disabled: null } }
    }
    case 'WebhookEndpointDisabled': {
      const { disabledAt: at, reason } = event.data
      return endpoint ? { ...endpoints, [endpointId]: { ...endpoint, disabled: { at, reason } } } : endpoints
    }
    case 'WebhookEndpointDeleted':
      return others
    default:
      return unexpected(event)
  }
}

type Subject = { readonly companyId: string; readonly endpointId: string; readonly at: string }

export type WebhookEndpointCommand =
  | ({
      readonly type: 'CreateWebhookEndpoint'
      readonly url: string
      readonly types: readonly string[]
      readonly sealedSecret: string
    } & Subject)
  | ({ readonly type: 'DisableWebhookEndpoint'; readonly reason: string } & Subject)
  | ({ readonly type: 'DeleteWebhookEndpoint' } & Subject)

export function decideWebhookEndpoints(command: WebhookEndpointCommand, endpoints: WebhookEndpoints): EndpointEvent[] {
  const { companyId, endpointId, at } = command
  const endpoint = endpoints[endpointId]
  switch (command.type) {
    case 'CreateWebhookEndpoint': {
      const { url, sealedSecret } = command
      if (endpoint) throw new Refusal('CONFLICT', `webhook endpoint ${endpointId} exists already`)
      const types = requireTypes(command.types)
      if (url.length > WEBHOOK_URL_CHARS_MAX) {
        throw new Refusal('INVALID', `the url must have at most ${WEBHOOK_URL_CHARS_MAX} characters`)
      }
      if (Object.keys(endpoints).length >= WEBHOOK_ENDPOINTS_MAX) {
        throw new Refusal(
          'CONFLICT',
          `a company has at most ${WEBHOOK_ENDPOINTS_MAX} webhook endpoints: delete one first`,
        )
      }
      const data = { companyId, endpointId, url, types, sealedSecret, createdAt: at }
      return [{ type: 'WebhookEndpointCreated', data }]
    }
    case 'DisableWebhookEndpoint': {
      if (!endpoint || endpoint.disabled) return []
      const reason = command.reason.slice(0, REASON_CHARS_MAX)
      return [{ type: 'WebhookEndpointDisabled', data: { companyId, endpointId, reason, disabledAt: at } }]
    }
    case 'DeleteWebhookEndpoint':
      if (!endpoint) throw new Refusal('NOT_FOUND', `there is no webhook endpoint ${endpointId}`)
      return [{ type: 'WebhookEndpointDeleted', data: { companyId, endpointId, deletedAt: at } }]
    default:
      return unexpected(command)
  }
}

function requireTypes(types: readonly string[]): NoticeType[] {
  const stranger = types.find((type) => !(NOTICE_TYPES as readonly string[]).includes(type))
  if (stranger !== undefined) {
    throw new Refusal(
      'INVALID',
      `types: ${JSON.stringify(stranger.slice(0, 100))} is not one of ${NOTICE_TYPES.join(', ')}`,
    )
  }
  if (types.length === 0) throw new Refusal('INVALID', `types: name at least one of ${NOTICE_TYPES.join(', ')}`)
  return [...new Set(types)] as NoticeType[]
}
