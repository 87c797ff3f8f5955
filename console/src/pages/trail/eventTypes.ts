/** The words of a type of event, as the trail shows them: ApiKeyMinted is "API key minted". */
export function titleOf(type: string): string {
  const words = type.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/^Api key/, 'API key')
}

/** The type that a title means; a type stays as it is. */
export function typeOf(title: string): string {
  if (/[a-z][A-Z]/.test(title)) return title
  return title
    .split(' ')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join('')
}

/** The titles of the events, each once and by name. */
export function titlesOf(entries: readonly { readonly type: string }[]): readonly string[] {
  return [...new Set(entries.map(({ type }) => titleOf(type)))].toSorted()
}
