const UNSEEN = ['style', 'script']

/** The text of an HTML part, without markup, in time that is proportional to its length. */
export function textOfMarkup(markup: string): string {
  const lowercase = markup.toLowerCase()
  const pieces: string[] = []
  let at = 0
  while (at < markup.length) {
    const open = markup.indexOf('<', at)
    if (open === -1) break
    pieces.push(markup.slice(at, open))
    at = endOfMarkup(lowercase, open)
  }
  pieces.push(markup.slice(at))
  return pieces
    .join(' ')
    .replace(/[^\S\n]+/g, ' ')
    .trim()
}

/** The offset behind the tag, or behind an element whose content is not text. What is not closed goes to the end. */
function endOfMarkup(lowercase: string, open: number): number {
  const unseen = UNSEEN.find((name) => isTagOf(lowercase, name, open + 1))
  const from = unseen === undefined ? open : lowercase.indexOf(`</${unseen}`, open)
  const close = from === -1 ? -1 : lowercase.indexOf('>', from)
  return close === -1 ? lowercase.length : close + 1
}

function isTagOf(lowercase: string, name: string, at: number): boolean {
  return lowercase.startsWith(name, at) && !/[a-z0-9_-]/.test(lowercase[at + name.length] ?? '')
}
