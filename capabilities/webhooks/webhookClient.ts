import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { Agent } from 'undici'
import type { Clock } from '../../platform/clock/clock.ts'
import { within } from '../../platform/clock/within.ts'
import type { Connect, Network } from '../../platform/network.ts'
import { hostOf, type WebhookRules } from './endpointUrl.ts'
import { isAllowedAddress } from './publicAddress.ts'

/** The time of one attempt, from resolving the name to the status of the answer. */
export const WEBHOOK_ATTEMPT_MS = 10_000
const DNS_ANSWER_MS = 2_000
const DNS_TRIES = 2
/** The size limit of an answer's headers. Its body is not read. */
const ANSWER_HEADER_BYTES_MAX = 16 * 1024

export type WebhookMessage = {
  readonly url: string
  readonly messageId: string
  /** JSON text. */
  readonly body: string
  /** The secret of the endpoint, beginning with `whsec_`. */
  readonly secret: string
}

/** The status of the receiver's answer, or why there is none. */
export type WebhookAnswer = { readonly status: number } | { readonly status: null; readonly error: string }

export type WebhookClientOptions = {
  readonly clock: Clock
  readonly rules: WebhookRules
  /** Resolves a name to its addresses. Default: queries DNS. */
  readonly resolve?: Network['resolve'] | undefined
  /** Opens connections. Default: that of the operating system. */
  readonly connect?: Connect | undefined
}

/**
 * Sends signed messages by the Standard Webhooks specification. The address that a name resolves to is checked, and the
 * connection goes to that same address, so that a second resolution cannot lead elsewhere. Redirects are not followed.
 */
export class WebhookClient {
  readonly #clock: Clock
  readonly #rules: WebhookRules
  readonly #resolve: Network['resolve']
  readonly #connect: Connect | undefined

  constructor({ clock, rules, resolve = (name) => dnsAddresses(name), connect }: WebhookClientOptions) {
    this.#clock = clock
    this.#rules = rules
    this.#resolve = resolve
    this.#connect = connect
  }

  async send(message: WebhookMessage, signal: AbortSignal): Promise<WebhookAnswer> {
    const ended = new AbortController()
    try {
      const sending = this.#post(message, AbortSignal.any([signal, ended.signal]))
      return { status: await within(sending, WEBHOOK_ATTEMPT_MS, this.#clock, signal) }
    } catch (error) {
      return { status: null, error: errorText(error) }
    } finally {
      ended.abort()
    }
  }

  async #post({ url, messageId, body, secret }: WebhookMessage, signal: AbortSignal): Promise<number> {
    const target = new URL(url)
    // The installation may have become stricter since the endpoint was created.
    if (target.protocol !== 'https:' && !this.#rules.allowsHttp) throw new Undeliverable('the url is not https')
    const agent = pinnedTo(await this.#checkedAddress(hostOf(target)), this.#connect)
    try {
      signal.throwIfAborted()
      const sentAt = new Date(this.#clock.now())
      const answer = await agent.request({
        origin: target.origin,
        path: target.pathname + target.search,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Tollgate-Webhooks/1',
          'webhook-id': messageId,
          'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
          'webhook-signature': new Webhook(secret).sign(messageId, sentAt, body),
        },
        body,
        signal,
      })
      answer.body.on('error', () => {}).destroy()
      return answer.statusCode
    } finally {
      await agent.destroy()
    }
  }

  /** If a name resolves to several addresses, the first allowed one is used. */
  async #checkedAddress(host: string): Promise<string> {
    const addresses = isIP(host) === 0 ? await this.#resolve(host) : [host]
    const allowed = addresses.find((address) => isAllowedAddress(address, this.#rules.allowsPrivate))
    if (allowed === undefined) throw new Undeliverable('the host has no public address')
    return allowed
  }
}

/** The message cannot be sent; the text says why and is shown to the company. */
class Undeliverable extends Error {}

/** An agent that connects to the address, whatever the name in the request resolves to. */
function pinnedTo(address: string, connect: Connect | undefined): Agent {
  const family = isIP(address)
  const pinned: LookupFunction = (_name, options, callback) => {
    if (options.all) callback(null, [{ address, family }])
    else callback(null, address, family)
  }
  return new Agent({
    connect: connect
      ? ({ port }, done) => connect({ hostname: address, port }, done)
      : { lookup: pinned, timeout: WEBHOOK_ATTEMPT_MS },
    maxHeaderSize: ANSWER_HEADER_BYTES_MAX,
    connections: 1,
    pipelining: 1,
  })
}

/**
 * Queries DNS directly. The operating system's lookup would occupy one of the few threads that this process needs for
 * files and passwords, for as long as a company's own name server likes.
 */
export async function dnsAddresses(name: string, servers?: readonly string[]): Promise<string[]> {
  if (name === 'localhost') return ['127.0.0.1', '::1']
  const resolver = new Resolver({ timeout: DNS_ANSWER_MS, tries: DNS_TRIES })
  if (servers) resolver.setServers(servers)
  const lookups = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const addresses = lookups.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const [first] = lookups
  if (addresses.length === 0 && first.status === 'rejected') throw first.reason
  return addresses
}

/** Without the message of a socket error, which contains addresses. */
function errorText(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof Undeliverable || code === undefined) return message
  return `the receiver could not be reached (${code})`
}
