import { type Burnable, compareBurnOrder, isValidAt } from './burnOrder.ts'

/**
 * Lots that a charge may burn, kept in burn order. A company collects many lots over the years, of which few have credits
 * left, and a charge must not look at the others: lots of one priority are sorted by expiry, so the first valid one is
 * found by bisection.
 */
export class BurnableLots<Lot extends Burnable> {
  /** The highest priority first. */
  readonly #groups: { readonly priority: number; readonly lots: Lot[] }[] = []

  /** Adds or removes a lot; no effect if it is there, or is not, already. */
  set(lot: Lot, isBurnable: boolean): void {
    const lots = this.#groupOf(lot.priority)
    const index = firstIndex(lots, (other) => compareBurnOrder(other, lot) >= 0)
    const isThere = lots[index] === lot
    if (isBurnable && !isThere) lots.splice(index, 0, lot)
    if (!isBurnable && isThere) lots.splice(index, 1)
  }

  /** The first valid lot in burn order that satisfies the condition. */
  first(atMs: number, condition: (lot: Lot) => boolean = () => true): Lot | undefined {
    for (const lot of this.validAt(atMs)) if (condition(lot)) return lot
    return undefined
  }

  /** The valid ones in burn order. They must not change meanwhile. */
  *validAt(atMs: number): IterableIterator<Lot> {
    for (const { lots } of this.#groups) {
      for (let index = firstIndex(lots, (lot) => isValidAt(lot, atMs)); index < lots.length; index++) {
        const lot = lots[index]
        if (lot) yield lot
      }
    }
  }

  #groupOf(priority: number): Lot[] {
    const index = firstIndex(this.#groups, (group) => group.priority <= priority)
    const found = this.#groups[index]
    if (found?.priority === priority) return found.lots
    const lots: Lot[] = []
    this.#groups.splice(index, 0, { priority, lots })
    return lots
  }
}

/** The index of the first item for which the condition holds; it holds for all items after that. */
function firstIndex<Item>(items: readonly Item[], condition: (item: Item) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && condition(item)) high = middle
    else low = middle + 1
  }
  return low
}
