const realSetImmediate = setImmediate

/** A turn of the real event loop: everything that is not scheduled ends before it. */
export const realTurn = (): Promise<void> => new Promise((resolve) => realSetImmediate(resolve))
