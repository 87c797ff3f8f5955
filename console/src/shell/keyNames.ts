type Named = { readonly id: string; readonly name: string; readonly hint: string }

/** The name of each key, by id. Keys with the same name, such as one and its replacement, are told apart by their prefix. */
export function keyNames(keys: readonly Named[]): ReadonlyMap<string, string> {
  const seen = new Set<string>()
  const repeated = new Set(keys.filter(({ name }) => seen.size === seen.add(name).size).map(({ name }) => name))
  return new Map(keys.map(({ id, name, hint }) => [id, repeated.has(name) ? `${name} (${hint}…)` : name]))
}
