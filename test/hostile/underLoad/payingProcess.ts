import { loadFor, type Request } from './payingLoad.ts'

/** Asks for calls for this long; answered with what `loadFor` found. */
export type PayingOrder = { readonly ms: number; readonly requests: readonly Request[] }

process.once('disconnect', () => process.exit())
process.on('message', async ({ ms, requests }: PayingOrder) => process.send?.(await loadFor(ms, requests)))
