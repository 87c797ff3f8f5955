import PostalMime, { type Address } from 'postal-mime'
import { type Clock, isoTime } from '../../platform/clock/clock.ts'
import type { Ids } from '../../platform/ids/ids.ts'

export const MAILBOX_MAILS_MAX = 200

export type Mail = {
  readonly id: string
  readonly messageId: string | null
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string | null
  readonly html: string | null
  readonly receivedAt: string
  /** How often it was received. A sender that got no acknowledgement sends a mail again. */
  readonly count: number
}

/** Sender and recipients of the SMTP transaction. */
export type Envelope = { readonly from: string; readonly to: readonly string[] }

/** The latest mails, in memory only. They are lost at a restart. */
export class Mailbox {
  readonly #clock: Clock
  readonly #ids: Ids
  readonly #mails = new Map<string, Mail>()

  constructor(clock: Clock, ids: Ids) {
    this.#clock = clock
    this.#ids = ids
  }

  async add(raw: Buffer, envelope: Envelope): Promise<Mail> {
    const parsed = await PostalMime.parse(raw)
    const messageId = parsed.messageId ?? null
    const known = messageId === null ? undefined : this.#byMessageId(messageId)
    const mail: Mail = known
      ? { ...known, count: known.count + 1 }
      : {
          id: this.#ids.uuid(),
          messageId,
          from: parsed.from ? addressesOf([parsed.from])[0] || envelope.from : envelope.from,
          to: parsed.to?.length ? addressesOf(parsed.to) : envelope.to,
          subject: parsed.subject ?? '',
          text: parsed.text ?? null,
          html: parsed.html ?? null,
          receivedAt: isoTime(this.#clock.now()),
          count: 1,
        }
    this.#mails.set(mail.id, mail)
    const [oldest] = this.#mails.keys()
    if (this.#mails.size > MAILBOX_MAILS_MAX && oldest !== undefined) this.#mails.delete(oldest)
    return mail
  }

  newestFirst(): Mail[] {
    return [...this.#mails.values()].reverse()
  }

  #byMessageId(messageId: string): Mail | undefined {
    return [...this.#mails.values()].find((mail) => mail.messageId === messageId)
  }
}

/** Replaces groups by their members. */
function addressesOf(addresses: readonly Address[]): string[] {
  return addresses.flatMap((one) => one.group?.map(({ address }) => address ?? '') ?? [one.address ?? ''])
}
