export type Snippet = { readonly name: string; readonly text: string }

const MODEL = 'svc/chat-default'

/** Ready to run, with the key filled in. `gatewayUrl` does not include the API path. */
export function snippetsFor(gatewayUrl: string, key: string): readonly Snippet[] {
  const base = `${gatewayUrl}/llm/v1`
  return [
    {
      name: 'curl',
      text: `curl -s ${base}/chat/completions \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"model":"${MODEL}","messages":[{"role":"user","content":"Hello"}]}'`,
    },
    {
      name: 'Python',
      text: `from openai import OpenAI

client = OpenAI(base_url="${base}", api_key="${key}")
answer = client.chat.completions.create(
    model="${MODEL}",
    messages=[{"role": "user", "content": "Hello"}],
)
print(answer.choices[0].message.content)`,
    },
    {
      name: 'JavaScript',
      text: `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${base}', apiKey: '${key}' })
const answer = await client.chat.completions.create({
  model: '${MODEL}',
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.choices[0].message.content)`,
    },
    {
      name: 'Anthropic',
      text: `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: '${gatewayUrl}/llm', apiKey: '${key}' })
const answer = await client.messages.create({
  model: '${MODEL}',
  max_tokens: 256,
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.content)`,
    },
    {
      name: 'MCP',
      text: JSON.stringify(
        { mcpServers: { tollgate: { type: 'http', url: `${base}/mcp`, headers: { Authorization: `Bearer ${key}` } } } },
        null,
        2,
      ),
    },
  ]
}
