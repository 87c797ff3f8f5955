import { z } from 'zod'
import { MODEL_ALIASES } from '../../../contracts/aliases.ts'
import { admitCall } from '../call/admission.ts'
import { askProviders } from '../call/askProviders.ts'
import { CallRecord } from '../call/callRecord.ts'
import { chargedAnswer } from '../call/plainCall.ts'
import { GatewayError } from '../gatewayError.ts'
import { readChatRequest } from '../wire/chatRequest.ts'
import { tool } from './tool.ts'

const ENDPOINT = '/chat/completions'

/** A chat call whose body is made of the arguments; from there on it is the call that its route would make. */
export const chatTool = tool({
  name: 'chat',
  title: 'Chat',
  description: 'Asks a model, by its alias, for an answer to the messages. Costs credits by the tokens used.',
  scope: 'inference:chat',
  input: z.strictObject({
    model: z.string().describe(`A model alias that list_models lists, such as ${MODEL_ALIASES[1]}`),
    messages: z
      .array(
        z.looseObject({
          role: z.string(),
          content: z.union([z.string(), z.array(z.looseObject({})), z.null()]).optional(),
        }),
      )
      .min(1),
    max_tokens: z.number().int().positive().optional(),
    temperature: z.number().optional(),
  }),
  output: z.looseObject({ choices: z.array(z.looseObject({})) }),
  readOnly: false,
  run: async (parts, { key, callId, headers, left: caller }, input) => {
    const request = readChatRequest(Buffer.from(JSON.stringify(input)))
    if ('refused' in request) throw new GatewayError('invalidRequest', request.refused)
    const exchange = { key, callId, headers }
    const call = await admitCall(parts, exchange, request.model)
    const record = new CallRecord(parts, exchange, call, ENDPOINT, false)
    const { sent, answer } = await askProviders(parts, {
      providers: call.providers.providers,
      path: ENDPOINT,
      callId,
      caller,
      body: (provider) => request.forwardedAs(provider.model),
      failed: (reason) => record.fail(reason),
    })
    const { body } = await chargedAnswer({ caller, headers, record, sent, answer, alias: call.alias })
    return JSON.parse(body.toString())
  },
})
