/**
 * What a stream cost, as a comment of server-sent events, which clients skip. It precedes the first event that waited for
 * the charge. The blank line ends it, so that it can stand before any event.
 */
export function costComment(creditsCharged: string): Buffer {
  return Buffer.from(`: x-credits-charged ${creditsCharged}\n\n`)
}
