/** Replaces members of a module or object. Some of them are getters, so an assignment would not do. */
export function replace(target: object, values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(target, name, { configurable: true, enumerable: true, writable: true, value })
  }
}
