/** A time as mails show it: 2026-03-11 10:00 UTC. */
export function mailTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
}
