import type { Call } from '../processes/chatRequest.ts'
import type { Measured } from './benchProcess.ts'

/** One of those that stand between the load and the upstream. */
export type Contestant = Measured & { readonly name: string; readonly call: Call }
