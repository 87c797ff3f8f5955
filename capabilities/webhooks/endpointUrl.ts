import { isIP } from 'node:net'
import { Refusal } from '../../domain/decider.ts'
import type { Config } from '../../platform/config/config.ts'
import { isAllowedAddress } from './publicAddress.ts'

/** Where messages of this installation may be sent. */
export type WebhookRules = {
  readonly allowsPrivate: boolean
  readonly allowsHttp: boolean
}

export function webhookRules({ sandbox, WEBHOOK_ALLOW_PRIVATE }: Pick<Config, 'sandbox' | 'WEBHOOK_ALLOW_PRIVATE'>) {
  return { allowsPrivate: sandbox || WEBHOOK_ALLOW_PRIVATE === '1', allowsHttp: sandbox } satisfies WebhookRules
}

/** Checks the address of a new endpoint. What its name resolves to is checked at each attempt, because it may change. */
export function requireEndpointUrl(text: string, { allowsPrivate, allowsHttp }: WebhookRules): string {
  if (!URL.canParse(text)) throw new Refusal('INVALID', 'the url is not a URL')
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowsHttp && url.protocol === 'http:')) {
    throw new Refusal('INVALID', `the url must begin with https://${allowsHttp ? ' or http://' : ''}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new Refusal('INVALID', 'the url must not contain a user or a password: messages are signed instead')
  }
  if (url.hash !== '') throw new Refusal('INVALID', 'the url must not contain a fragment (#)')
  const host = hostOf(url)
  if (isIP(host) !== 0 && !isAllowedAddress(host, allowsPrivate)) {
    throw new Refusal('INVALID', `the address ${host} of the url is not a public one`)
  }
  return url.href
}

/** The name or address of a URL, without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}
