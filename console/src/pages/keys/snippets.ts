import type { Api, Example } from './example.ts'

export type Snippet = { readonly name: string; readonly text: string }

type Usable = {
  /** Without the path of the API. */
  readonly gatewayUrl: string
  readonly secret: string
  readonly scopes: readonly string[]
  /** null if no model is known that the key may call. */
  readonly example: Example | null
}

/** Ready to run, with the key filled in. Only those that the key may run. */
export function snippetsFor({ gatewayUrl, secret, scopes, example }: Usable): readonly Snippet[] {
  const base = `${gatewayUrl}/llm/v1`
  const read = (path: string) => `curl -s ${base}${path} \\
  -H 'Authorization: Bearer ${secret}'`
  const mcp = { type: 'http', url: `${base}/mcp`, headers: { Authorization: `Bearer ${secret}` } }
  const isForModels = scopes.includes('inference:chat')
  return [
    ...(isForModels && example ? modelSnippets(gatewayUrl, secret, example) : []),
    ...(isForModels && !example?.isProven ? [{ name: 'Models', text: read('/models') }] : []),
    ...(!isForModels && scopes.includes('usage:read') ? [{ name: 'Usage', text: read('/usage') }] : []),
    { name: 'MCP', text: JSON.stringify({ mcpServers: { tollgate: mcp } }, null, 2) },
  ]
}

function modelSnippets(gatewayUrl: string, secret: string, { model, apis }: Example): readonly Snippet[] {
  const base = `${gatewayUrl}/llm/v1`
  const post = (path: string, body: object) => `curl -s ${base}${path} \\
  -H 'Authorization: Bearer ${secret}' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body)}'`
  const byApi: Readonly<Record<Api, readonly Snippet[]>> = {
    chat: [
      {
        name: 'curl',
        text: post('/chat/completions', { model, messages: [{ role: 'user', content: 'Hello' }] }),
      },
      {
        name: 'Python',
        text: `from openai import OpenAI

client = OpenAI(base_url="${base}", api_key="${secret}")
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`,
      },
      {
        name: 'JavaScript',
        text: `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${base}', apiKey: '${secret}' })
const answer = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.choices[0].message.content)`,
      },
    ],
    responses: [{ name: 'Responses', text: post('/responses', { model, input: 'Hello' }) }],
    messages: [
      {
        name: 'Anthropic',
        text: `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: '${gatewayUrl}/llm', apiKey: '${secret}' })
const answer = await client.messages.create({
  model: '${model}',
  max_tokens: 256,
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.content)`,
      },
    ],
    embeddings: [{ name: 'Embeddings', text: post('/embeddings', { model, input: 'Hello' }) }],
  }
  return ORDER.filter((api) => apis.includes(api)).flatMap((api) => byApi[api])
}

const ORDER: readonly Api[] = ['chat', 'responses', 'messages', 'embeddings']
