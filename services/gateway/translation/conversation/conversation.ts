import type { ReasoningState } from './reasoningState.ts'

/** A value together with the path at which the caller wrote it, so that a refusal can name the caller's own field. */
export type Given<Value> = { readonly value: Value; readonly at: string }

export type MediaSource =
  | { readonly kind: 'base64'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string }

export type TextPart = { readonly type: 'text'; readonly text: string; readonly at: string }
export type RefusalPart = { readonly type: 'refusal'; readonly text: string; readonly at: string }
export type ImagePart = {
  readonly type: 'image'
  readonly source: MediaSource
  /** Undefined for the default, which the APIs call `auto`. */
  readonly detail?: Given<string>
  readonly at: string
}
export type DocumentPart = {
  readonly type: 'document'
  readonly source: MediaSource | { readonly kind: 'text'; readonly text: string }
  readonly name?: string
  readonly at: string
}
export type ToolCallPart = {
  readonly type: 'toolCall'
  readonly id: string
  readonly name: string
  /** A JSON object as text, because two of the three APIs have text here, and parsing it would round large numbers. */
  readonly arguments: string
  readonly at: string
}
export type ToolResultPart = {
  readonly type: 'toolResult'
  readonly callId: string
  readonly content: readonly (TextPart | ImagePart | DocumentPart)[]
  readonly isError: boolean
  readonly at: string
}
export type ReasoningPart = {
  readonly type: 'reasoning'
  readonly text: string
  /** What the provider needs to take the reasoning back; null if it is text only. */
  readonly state: ReasoningState | null
  readonly at: string
}

export type Part = TextPart | RefusalPart | ImagePart | DocumentPart | ToolCallPart | ToolResultPart | ReasoningPart

export type Role = 'system' | 'developer' | 'user' | 'assistant'

/** Turns of one role that follow each other are one turn. Tool results belong to the turn of the user. */
export type Turn = { readonly role: Role; readonly parts: readonly Part[]; readonly at: string }

export type Tool = {
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments, unread. */
  readonly schema: object
  /** Undefined if the caller leaves the choice to the API. */
  readonly strict?: boolean
  readonly at: string
}

export type ToolChoice =
  | { readonly mode: 'auto' | 'none' | 'required' }
  | { readonly mode: 'tool'; readonly name: string }

export type OutputFormat =
  | { readonly type: 'json' }
  | {
      readonly type: 'schema'
      readonly name?: string
      readonly description?: string
      readonly schema: object
      readonly strict?: boolean
    }

export const EFFORTS = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type Effort = (typeof EFFORTS)[number]

/** What the caller says about the model's reasoning. Absent members are left to the provider. */
export type ReasoningSetting = {
  readonly isOff?: Given<true>
  readonly effort?: Given<Effort>
  /** The tokens that the model may reason with. */
  readonly budgetTokens?: Given<number>
  /** Whether the caller gets to read the reasoning. */
  readonly shows?: Given<'summary' | 'nothing'>
}

/** `standard` is the provider's ordinary price, `auto` whatever the operator's account is set to. */
export type ServiceTier = 'auto' | 'standard' | 'flex' | 'scale' | 'priority' | 'fast' | 'ultrafast'

/** What a caller asks of a model, in no API's own terms. An absent setting is left to the provider. */
export type Conversation = {
  readonly turns: readonly Turn[]
  /** The model is to go on with the last turn, which is its own. */
  readonly continuesLastTurn: boolean
  readonly stream: boolean
  readonly tools: readonly Tool[]
  readonly toolChoice?: Given<ToolChoice>
  readonly parallelToolCalls?: Given<boolean>
  readonly outputFormat?: Given<OutputFormat>
  readonly verbosity?: Given<string>
  readonly reasoning?: ReasoningSetting
  readonly maxTokens?: Given<number>
  readonly temperature?: Given<number>
  readonly topP?: Given<number>
  readonly topK?: Given<number>
  readonly frequencyPenalty?: Given<number>
  readonly presencePenalty?: Given<number>
  readonly seed?: Given<number>
  readonly stop?: Given<readonly string[]>
  readonly serviceTier?: Given<ServiceTier>
}
