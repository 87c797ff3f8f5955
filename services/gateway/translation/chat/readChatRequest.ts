import type { Conversation, Given, OutputFormat, Tool, ToolChoice } from '../conversation/conversation.ts'
import { FieldReader } from '../fields/fieldReader.ts'
import type { LeftOut } from '../fields/leftOut.ts'
import { valueNotTranslated, wrongField } from '../fields/requestRefused.ts'
import {
  effortGiven,
  integerGiven,
  numberGiven,
  plainToolChoice,
  present,
  serviceTierGiven,
  TOOLS_MAX,
  tokensGiven,
} from '../fields/requestSettings.ts'
import { readChatMessages } from './readChatMessages.ts'

/** The schema of a tool without parameters. */
const NO_PARAMETERS = { type: 'object', properties: {} }

/** A request of chat completions. Throws RequestRefused for what has no translation. */
export function readChatRequest(body: unknown, leftOut: LeftOut): Conversation {
  const fields = new FieldReader(body, '', leftOut)
  fields.text('model')
  fields.leaveOut('metadata', 'user', 'safety_identifier')
  fields.leaveOut('cache_control', 'prompt_cache_key', 'prompt_cache_retention')
  fields.only('n', 1)
  fields.only('logprobs', false)
  fields.only('top_logprobs', 0)
  fields.only('store', false)
  readModalities(fields)
  readStreamOptions(fields)
  const conversation = {
    turns: readChatMessages(fields),
    continuesLastTurn: false,
    stream: fields.flagIfAny('stream') ?? false,
    tools: fields.readersIn('tools', TOOLS_MAX).map(readTool),
    ...present({
      toolChoice: plainToolChoice(fields) ?? namedToolChoice(fields),
      parallelToolCalls: fields.given('parallel_tool_calls', fields.flagIfAny('parallel_tool_calls')),
      outputFormat: readFormat(fields),
      verbosity: fields.given('verbosity', fields.textIfAny('verbosity')),
      reasoning: fields.has('reasoning_effort') ? effortGiven(fields, 'reasoning_effort') : undefined,
      maxTokens: readMaxTokens(fields),
      temperature: numberGiven(fields, 'temperature'),
      topP: numberGiven(fields, 'top_p'),
      frequencyPenalty: penaltyGiven(fields, 'frequency_penalty'),
      presencePenalty: penaltyGiven(fields, 'presence_penalty'),
      seed: integerGiven(fields, 'seed'),
      stop: readStop(fields),
      serviceTier: serviceTierGiven(fields),
    }),
  }
  fields.end()
  return conversation
}

function readModalities(fields: FieldReader): void {
  const modalities = fields.listIfAny('modalities') ?? []
  const other = modalities.findIndex((modality) => modality !== 'text')
  if (other !== -1) throw valueNotTranslated(`modalities[${other}]`, modalities[other])
}

/** Streams report their usage in any case. */
function readStreamOptions(fields: FieldReader): void {
  const options = fields.readerIfAny('stream_options')
  options?.flagIfAny('include_usage')
  options?.leaveOut('include_obfuscation')
  options?.end()
}

/** Both fields bound the same tokens; the older one is still what many clients send. */
function readMaxTokens(fields: FieldReader): Given<number> | undefined {
  const older = tokensGiven(fields, 'max_tokens')
  const given = tokensGiven(fields, 'max_completion_tokens')
  if (older !== undefined && given !== undefined && older.value !== given.value) {
    throw wrongField('max_tokens', "differs from 'max_completion_tokens'; send one of them.")
  }
  return given ?? older
}

/** 0 is no penalty. */
function penaltyGiven(fields: FieldReader, name: string): Given<number> | undefined {
  const given = numberGiven(fields, name)
  return given?.value === 0 ? undefined : given
}

function readStop(fields: FieldReader): Given<readonly string[]> | undefined {
  const stop = fields.any('stop')
  if (stop === undefined) return undefined
  const texts: readonly unknown[] = Array.isArray(stop) ? stop : [stop]
  for (const [position, text] of texts.entries()) {
    if (typeof text !== 'string')
      throw wrongField(Array.isArray(stop) ? `stop[${position}]` : 'stop', 'must be a string.')
  }
  return texts.length === 0 ? undefined : { value: texts as readonly string[], at: 'stop' }
}

function readTool(tool: FieldReader): Tool {
  tool.choiceIfAny('type', ['function'])
  tool.leaveOut('cache_control')
  const named = tool.reader('function')
  const read = {
    name: named.text('name'),
    schema: named.objectIfAny('parameters') ?? NO_PARAMETERS,
    // Chat keeps to a schema only if the request says so.
    strict: named.flagIfAny('strict') ?? false,
    at: tool.at,
    ...present({ description: named.textIfAny('description') }),
  }
  named.end()
  tool.end()
  return read
}

function namedToolChoice(fields: FieldReader): Given<ToolChoice> | undefined {
  const choice = fields.readerIfAny('tool_choice')
  if (choice === undefined) return undefined
  choice.choiceIfAny('type', ['function'])
  const named = choice.reader('function')
  const name = named.text('name')
  named.end()
  choice.end()
  return { value: { mode: 'tool', name }, at: 'tool_choice' }
}

function readFormat(fields: FieldReader): Given<OutputFormat> | undefined {
  const format = fields.readerIfAny('response_format')
  if (format === undefined) return undefined
  const type = format.choiceIfAny('type', ['text', 'json_object', 'json_schema'])
  const at = format.at
  const schema = type === 'json_schema' ? format.reader('json_schema') : undefined
  format.end()
  if (schema !== undefined) return { value: readSchema(schema), at }
  return type === 'json_object' ? { value: { type: 'json' }, at } : undefined
}

function readSchema(format: FieldReader): OutputFormat {
  const schema = format.objectIfAny('schema')
  if (schema === undefined) throw wrongField(format.path('schema'), 'is missing.')
  const read = {
    type: 'schema',
    name: format.text('name'),
    schema,
    ...present({ description: format.textIfAny('description'), strict: format.flagIfAny('strict') }),
  } as const
  format.end()
  return read
}
