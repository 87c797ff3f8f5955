import { z } from 'zod'
import { DEFAULT_ALIASES } from '../../../contracts/aliases.ts'
import { beginCall } from '../call/beginCall.ts'
import { chargedAnswer } from '../call/completeAnswer.ts'
import { CHAT_WIRE } from '../wire/wireFormats.ts'
import { tool } from './tool.ts'

/** The MCP library needs the parsed answer and serialises it twice. */
const MCP_ANSWER_BYTES_MAX = 512 * 1024

/** Makes the same call as POST /chat/completions, with the arguments as its body. */
export const chatTool = tool({
  name: 'chat',
  title: 'Chat',
  description: 'Asks a model, by its alias, for an answer to the messages. Costs credits by the tokens used.',
  scope: 'inference:chat',
  input: z.strictObject({
    model: z.string().describe(`A model alias that list_models lists, such as ${DEFAULT_ALIASES.chat}`),
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
  run: async (deps, context, input) => {
    const request = CHAT_WIRE.readRequest(Buffer.from(JSON.stringify(input)))
    const begun = await beginCall(deps, { context, wire: CHAT_WIRE, request })
    const { bytes } = await chargedAnswer(begun, context.response, MCP_ANSWER_BYTES_MAX)
    begun.record.answerWritten()
    return JSON.parse(bytes.toString())
  },
})
