import type {
  Conversation,
  Given,
  OutputFormat,
  ReasoningSetting,
  Tool,
  ToolChoice,
} from '../conversation/conversation.ts'
import { TurnList } from '../conversation/turnList.ts'
import { FieldReader } from '../fields/fieldReader.ts'
import type { LeftOut } from '../fields/leftOut.ts'
import { notTranslated, valueNotTranslated, wrongField } from '../fields/requestRefused.ts'
import { integerGiven, numberGiven, present, TOOLS_MAX, tokensGiven } from '../fields/requestSettings.ts'
import { readContent } from './readBlocks.ts'

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const

/** A request of Messages. Throws RequestRefused for what has no translation. */
export function readMessagesRequest(body: unknown, leftOut: LeftOut): Conversation {
  const fields = new FieldReader(body, '', leftOut)
  fields.text('model')
  fields.leaveOut('metadata', 'cache_control')
  fields.only('speed', 'standard')
  fields.onlyEmpty('mcp_servers')
  const { turns } = readTurns(fields)
  const output = fields.readerIfAny('output_config')
  const maxTokens = tokensGiven(fields, 'max_tokens')
  if (maxTokens === undefined) throw wrongField('max_tokens', 'is missing.')
  const conversation = {
    turns,
    continuesLastTurn: turns.at(-1)?.role === 'assistant',
    stream: fields.flagIfAny('stream') ?? false,
    tools: fields.readersIn('tools', TOOLS_MAX).map(readTool),
    maxTokens,
    ...present({
      ...readToolChoice(fields),
      outputFormat: readFormat(output),
      reasoning: readReasoning(fields, output),
      temperature: numberGiven(fields, 'temperature'),
      topP: numberGiven(fields, 'top_p'),
      topK: integerGiven(fields, 'top_k'),
      stop: readStops(fields),
      serviceTier: readTier(fields),
    }),
  }
  output?.end()
  fields.end()
  return conversation
}

function readTurns(fields: FieldReader): TurnList {
  const turns = new TurnList()
  if (fields.has('system')) turns.add('system', readContent(fields, 'system', 'system'), 'system')
  else fields.skip('system')
  const messages = fields.readersIn('messages')
  if (messages.length === 0) throw wrongField('messages', 'must be an array of at least one message.')
  for (const message of messages) {
    const name = message.text('role')
    const role = (['user', 'assistant', 'system'] as const).find((one) => one === name)
    if (role === undefined) throw valueNotTranslated(message.path('role'), name)
    turns.add(role, readContent(message, 'content', role), message.at)
    message.end()
  }
  return turns
}

function readTool(tool: FieldReader): Tool {
  tool.choiceIfAny('type', ['custom'])
  tool.leaveOut('cache_control', 'eager_input_streaming')
  const schema = tool.objectIfAny('input_schema')
  if (schema === undefined) throw wrongField(tool.path('input_schema'), 'must be an object.')
  const read = {
    name: tool.text('name'),
    schema,
    strict: tool.flagIfAny('strict') ?? false,
    at: tool.at,
    ...present({ description: tool.textIfAny('description') }),
  }
  tool.end()
  return read
}

function readToolChoice(fields: FieldReader): {
  toolChoice?: Given<ToolChoice> | undefined
  parallelToolCalls?: Given<boolean> | undefined
} {
  const choice = fields.readerIfAny('tool_choice')
  if (choice === undefined) return {}
  const type = choice.choiceIfAny('type', ['auto', 'any', 'tool', 'none'])
  if (type === undefined) throw wrongField(choice.path('type'), 'is missing.')
  const at = 'tool_choice'
  const isAlone = choice.flagIfAny('disable_parallel_tool_use')
  const value = type === 'tool' ? ({ mode: 'tool', name: choice.text('name') } as const) : { mode: MODES[type] }
  choice.end()
  return {
    toolChoice: { value, at },
    parallelToolCalls:
      isAlone === undefined ? undefined : { value: !isAlone, at: choice.path('disable_parallel_tool_use') },
  }
}

const MODES = { auto: 'auto', any: 'required', none: 'none' } as const

function readFormat(output: FieldReader | undefined): Given<OutputFormat> | undefined {
  const format = output?.readerIfAny('format')
  if (format === undefined) return undefined
  format.choiceIfAny('type', ['json_schema'])
  const schema = format.objectIfAny('schema')
  if (schema === undefined) throw wrongField(format.path('schema'), 'must be an object.')
  format.end()
  // This API always keeps to the schema.
  return { value: { type: 'schema', schema, strict: true }, at: format.at }
}

function readReasoning(fields: FieldReader, output: FieldReader | undefined): ReasoningSetting | undefined {
  const effort = output?.given('effort', output.choiceIfAny('effort', EFFORTS))
  const thinking = fields.readerIfAny('thinking')
  if (thinking === undefined) return effort && { effort }
  const type = thinking.choiceIfAny('type', ['enabled', 'adaptive', 'disabled'])
  const budgetTokens = integerGiven(thinking, 'budget_tokens')
  const display = thinking.choiceIfAny('display', ['summarized', 'omitted'])
  thinking.end()
  const at = thinking.path('display')
  if (type === undefined) throw wrongField(thinking.path('type'), 'is missing.')
  if (type === 'disabled') {
    // Effort without thinking is about the length of the answer, which no other API can be told apart from reasoning.
    if (effort !== undefined) throw notTranslated(effort.at)
    return { isOff: { value: true, at: thinking.path('type') } }
  }
  if ((type === 'enabled') !== (budgetTokens !== undefined)) {
    throw wrongField(thinking.path('budget_tokens'), type === 'enabled' ? 'is missing.' : "needs the type 'enabled'.")
  }
  // Models that think by themselves show it or not unless they are told; those with a budget show it.
  const shown = display === undefined && type === 'adaptive' ? undefined : display === 'omitted' ? 'nothing' : 'summary'
  return present({ effort, budgetTokens, shows: shown && ({ value: shown, at } as const) })
}

function readStops(fields: FieldReader): Given<readonly string[]> | undefined {
  const texts = fields.listIfAny('stop_sequences') ?? []
  for (const [position, text] of texts.entries()) {
    if (typeof text !== 'string') throw wrongField(`stop_sequences[${position}]`, 'must be a string.')
  }
  return texts.length === 0 ? undefined : { value: texts as readonly string[], at: 'stop_sequences' }
}

function readTier(fields: FieldReader): Conversation['serviceTier'] | undefined {
  const tier = fields.choiceIfAny('service_tier', ['auto', 'standard_only'])
  return fields.given('service_tier', tier === 'standard_only' ? 'standard' : tier)
}
