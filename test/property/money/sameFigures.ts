import type { Figures } from './moneyFigures.ts'

/** Throws the first figure in which the product differs from the model. */
export function same(what: string, model: Figures, product: Figures): void {
  for (const name of Object.keys(model)) {
    const [expected, found] = [JSON.stringify(model[name]), JSON.stringify(product[name])]
    if (expected !== found)
      throw new Error(`${what}, ${name}:\n  the model has   ${expected}\n  the product has ${found}`)
  }
}

/** One of those that are there; undefined if there is none. */
export function chosen<Each>(all: readonly Each[], which: number): Each | undefined {
  return all[which % Math.max(1, all.length)]
}

/** The provider counts seconds. */
export function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1_000) * 1_000
}
