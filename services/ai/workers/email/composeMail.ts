export type MailText = { readonly subject: string; readonly text: string; readonly html: string }

export type Words = {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** Where the reader can act on it. */
  readonly link?: { readonly label: string; readonly url: string } | null
}

/** The words as a mail, in plain text and HTML. */
export function composed({ subject, paragraphs, link = null }: Words, closing: string): MailText {
  const lines = [...paragraphs, ...(link ? [`${link.label}: ${link.url}`] : []), closing]
  const html = [
    ...paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`),
    ...(link ? [`<p><a href="${escaped(link.url)}">${escaped(link.label)}</a></p>`] : []),
    `<p style="color:#666">${escaped(closing)}</p>`,
  ]
  return {
    subject: oneLine(subject),
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="font-family:sans-serif">${html.join('')}</body></html>\n`,
  }
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
