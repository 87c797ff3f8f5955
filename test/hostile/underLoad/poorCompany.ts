import { until } from '../../support/until.ts'
import type { ProcessTarget } from '../target/processTarget.ts'

const PASSWORD = 'correct horse battery'

/** An API key of a company that has no credits, once the gateway knows it. */
export async function keyWithoutCredits({ port, installation }: ProcessTarget): Promise<string> {
  const ask = async (query: string, token: string) => {
    const answer = await fetch(`http://127.0.0.1:${port('backend')}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query }),
    })
    const { data, errors } = (await answer.json()) as { data: Record<string, Record<string, string>>; errors?: object }
    if (errors) throw new Error(JSON.stringify(errors))
    return data
  }
  const root = installation.demo.superAdminToken
  const { createCompany } = await ask('mutation { createCompany(input: { name: "Poor Ltd" }) { id } }', root)
  const email = 'admin@poor.example'
  const user = `email: "${email}", password: "${PASSWORD}", companyId: "${createCompany?.id}"`
  await ask(`mutation { createUser(input: { ${user} }) { id } }`, root)
  const { login } = await ask(`mutation { login(email: "${email}", password: "${PASSWORD}") { token } }`, '')
  const { mintApiKey } = await ask(
    'mutation { mintApiKey(input: { name: "poor", rpm: 1000000 }) { secret } }',
    login?.token ?? '',
  )
  const key = mintApiKey?.secret ?? ''
  await until('the gateway knows the key', async () => {
    const models = await fetch(`http://127.0.0.1:${port('gateway')}/llm/v1/models`, {
      headers: { authorization: `Bearer ${key}` },
    })
    return models.status === 200
  })
  return key
}
