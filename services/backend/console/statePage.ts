/** How often the page of an unfinished build asks again. */
const RELOAD_SECONDS = 2

const TEXTS = {
  building: 'The console is being built, which takes some seconds after the first start. This page reloads by itself.',
  failed:
    'The console could not be built. Everything else works: keys, calls and GraphQL. The log has the reason; the next start builds it again.',
} as const

/** What a page of the console shows while there is no console. Without scripts and styles, as its policy demands. */
export function statePage(status: keyof typeof TEXTS): string {
  const reload = status === 'building' ? `<meta http-equiv="refresh" content="${RELOAD_SECONDS}">` : ''
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">${reload}<title>Tollgate</title><h1>Tollgate</h1><p>${TEXTS[status]}</p></html>
`
}
