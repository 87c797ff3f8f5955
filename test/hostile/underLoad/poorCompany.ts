import { until } from '../../support/time/until.ts'
import type { ProcessTarget } from '../target/processTarget.ts'

const PASSWORD = 'correct horse battery'

const OTHER_CREDITS = 1_000_000

/** An API key of a company that has no credits, once the gateway knows it. */
export function keyWithoutCredits(target: ProcessTarget): Promise<string> {
  return keyOf(target, 'poor', 0)
}

/** An API key of a company that can pay, and is another than the one whose calls are measured. */
export function keyWithCredits(target: ProcessTarget): Promise<string> {
  return keyOf(target, 'other', OTHER_CREDITS)
}

async function keyOf({ port, installation }: ProcessTarget, name: string, credits: number): Promise<string> {
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
  const { createCompany } = await ask(`mutation { createCompany(input: { name: "${name} Ltd" }) { id } }`, root)
  const grant = `companyId: "${createCompany?.id}", credits: ${credits}, reason: "attack"`
  if (credits > 0) await ask(`mutation { grantCredits(${grant}) { id } }`, root)
  const email = `admin@${name}.example`
  const user = `email: "${email}", password: "${PASSWORD}", companyId: "${createCompany?.id}"`
  await ask(`mutation { createUser(input: { ${user} }) { id } }`, root)
  const { login } = await ask(`mutation { login(email: "${email}", password: "${PASSWORD}") { token } }`, '')
  const { mintApiKey } = await ask(
    `mutation { mintApiKey(input: { name: "${name}", rpm: 1000000, tpm: 1000000000 }) { secret } }`,
    login?.token ?? '',
  )
  const key = mintApiKey?.secret ?? ''
  await until('the gateway knows the key and the credits', async () => {
    const usage = await fetch(`http://127.0.0.1:${port('gateway')}/llm/v1/usage`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { balance } = (await usage.json()) as { balance?: { credits: number } }
    return usage.status === 200 && balance?.credits === credits
  })
  return key
}
