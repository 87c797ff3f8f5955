import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Imports one module after the other and lets the event loop turn in between. Loading a large library in one turn would
 * keep every caller waiting for hundreds of milliseconds.
 */
export async function loadInPieces(pieces: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const load of pieces) {
    await load()
    await nextTurn()
  }
}

/**
 * Parts of a library that are separate packages. They are not our dependencies, so one that is not found is loaded with
 * the library.
 */
export function packagesWithin(names: readonly string[]): readonly (() => Promise<unknown>)[] {
  return names.map((name) => () => import(name).catch(() => {}))
}
