import PostalMime, { type Address } from 'postal-mime'
import { textOfMarkup } from './textOfMarkup.ts'

const RECIPIENTS_MAX = 100
const MIME_DEPTH_MAX = 16
/** What the page shows of a mail. */
const SHOWN_CHARS_MAX = 20_000

/** What is read of a mail's bytes. */
export type ReadMail = {
  readonly messageId: string | null
  readonly from: string | null
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string | null
  readonly html: string | null
  /** The beginning of its text, also of a mail that has only an HTML part. */
  readonly shown: string
}

/**
 * Takes seconds for some mails, because the library's time grows with the square of lines, parts and addresses. Messages
 * inside a mail are not read: each would be parsed again for every level around it.
 */
export async function readMail(raw: Uint8Array): Promise<ReadMail> {
  const {
    messageId = null,
    from,
    to = [],
    subject = '',
    text = null,
    html = null,
  } = await PostalMime.parse(raw, {
    forceRfc822Attachments: true,
    maxNestingDepth: MIME_DEPTH_MAX,
  })
  return {
    messageId,
    from: from ? (addressesOf([from])[0] ?? null) : null,
    to: addressesOf(to),
    subject,
    text,
    html,
    shown: (text ?? textOfMarkup(html ?? '')).slice(0, SHOWN_CHARS_MAX),
  }
}

/** Replaces groups by their members. */
function addressesOf(addresses: readonly Address[]): string[] {
  return addresses
    .slice(0, RECIPIENTS_MAX)
    .flatMap((one) => one.group?.slice(0, RECIPIENTS_MAX).map(({ address }) => address ?? '') ?? [one.address ?? ''])
    .slice(0, RECIPIENTS_MAX)
}
