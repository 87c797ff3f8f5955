import type {
  Conversation,
  Given,
  OutputFormat,
  ReasoningSetting,
  Tool,
  ToolChoice,
} from '../conversation/conversation.ts'
import { FieldReader } from '../fields/fieldReader.ts'
import type { LeftOut } from '../fields/leftOut.ts'
import { valueNotTranslated, wrongField } from '../fields/requestRefused.ts'
import {
  effortGiven,
  numberGiven,
  plainToolChoice,
  present,
  serviceTierGiven,
  TOOLS_MAX,
  tokensGiven,
} from '../fields/requestSettings.ts'
import { readItems } from './readItems.ts'

/** The schema of a tool without parameters. */
const NO_PARAMETERS = { type: 'object', properties: {} }
/** Reasoning always comes with its state, because nothing of it is stored. */
const INCLUDED = 'reasoning.encrypted_content'

/** A request of Responses. Throws RequestRefused for what has no translation. */
export function readResponsesRequest(body: unknown, leftOut: LeftOut): Conversation {
  const fields = new FieldReader(body, '', leftOut)
  fields.text('model')
  fields.leaveOut('metadata', 'user', 'safety_identifier', 'prompt_cache_key', 'prompt_cache_retention')
  fields.only('store', false)
  fields.only('background', false)
  fields.only('truncation', 'disabled')
  fields.only('top_logprobs', 0)
  fields.onlyEmpty('context_management')
  readInclude(fields)
  const options = fields.readerIfAny('stream_options')
  options?.leaveOut('include_obfuscation')
  options?.end()
  const text = fields.readerIfAny('text')
  const conversation = {
    turns: readItems(fields),
    continuesLastTurn: false,
    stream: fields.flagIfAny('stream') ?? false,
    tools: fields.readersIn('tools', TOOLS_MAX).map(readTool),
    ...present({
      toolChoice: plainToolChoice(fields) ?? namedToolChoice(fields),
      parallelToolCalls: fields.given('parallel_tool_calls', fields.flagIfAny('parallel_tool_calls')),
      outputFormat: readFormat(text),
      verbosity: text?.given('verbosity', text.textIfAny('verbosity')),
      reasoning: readReasoning(fields),
      maxTokens: tokensGiven(fields, 'max_output_tokens'),
      temperature: numberGiven(fields, 'temperature'),
      topP: numberGiven(fields, 'top_p'),
      serviceTier: serviceTierGiven(fields),
    }),
  }
  text?.end()
  fields.end()
  return conversation
}

function readInclude(fields: FieldReader): void {
  const included = fields.listIfAny('include') ?? []
  const other = included.findIndex((name) => name !== INCLUDED)
  if (other !== -1) throw valueNotTranslated(`include[${other}]`, included[other])
}

function readTool(tool: FieldReader): Tool {
  const type = tool.text('type')
  if (type !== 'function') throw valueNotTranslated(tool.path('type'), type)
  const read = {
    name: tool.text('name'),
    schema: tool.objectIfAny('parameters') ?? NO_PARAMETERS,
    at: tool.at,
    ...present({ description: tool.textIfAny('description'), strict: tool.flagIfAny('strict') }),
  }
  tool.end()
  return read
}

function namedToolChoice(fields: FieldReader): Given<ToolChoice> | undefined {
  const choice = fields.readerIfAny('tool_choice')
  if (choice === undefined) return undefined
  choice.choiceIfAny('type', ['function'])
  const name = choice.text('name')
  choice.end()
  return { value: { mode: 'tool', name }, at: 'tool_choice' }
}

function readFormat(text: FieldReader | undefined): Given<OutputFormat> | undefined {
  const format = text?.readerIfAny('format')
  if (format === undefined) return undefined
  const { at } = format
  const type = format.choiceIfAny('type', ['text', 'json_object', 'json_schema'])
  const read = type === 'json_schema' ? readSchema(format) : undefined
  format.end()
  if (read !== undefined) return { value: read, at }
  return type === 'json_object' ? { value: { type: 'json' }, at } : undefined
}

function readSchema(format: FieldReader): OutputFormat {
  const schema = format.objectIfAny('schema')
  if (schema === undefined) throw wrongField(format.path('schema'), 'is missing.')
  const more = present({ description: format.textIfAny('description'), strict: format.flagIfAny('strict') })
  return { type: 'schema', name: format.text('name'), schema, ...more }
}

/** How long a summary is to be is a matter of taste; whether there is one is not. */
function readReasoning(fields: FieldReader): ReasoningSetting | undefined {
  const reasoning = fields.readerIfAny('reasoning')
  if (reasoning === undefined) return undefined
  const setting = effortGiven(reasoning, 'effort')
  const summary = reasoning.choiceIfAny('summary', ['auto', 'concise', 'detailed'])
  reasoning.end()
  if (summary === undefined) return setting
  if (summary !== 'auto') reasoning.leftOut.add('summary')
  return { ...setting, shows: { value: 'summary', at: reasoning.path('summary') } }
}
