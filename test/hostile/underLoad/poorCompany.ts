import { until } from '../../support/time/until.ts'
import type { ProcessTarget } from '../target/processTarget.ts'

const PASSWORD = 'correct horse battery'

const OTHER_CREDITS = 1_000_000
const OTHER_ACCOUNTS = 3

/** An API key of a company that has no credits, once the gateway knows it. */
export async function keyWithoutCredits(target: ProcessTarget): Promise<string> {
  const [key = ''] = await keysOf(target, { name: 'poor', credits: 0, accounts: 1 })
  return key
}

/** API keys of several accounts of one company that can pay, and is another than the one whose calls are measured. */
export function keysWithCredits(target: ProcessTarget): Promise<string[]> {
  return keysOf(target, { name: 'other', credits: OTHER_CREDITS, accounts: OTHER_ACCOUNTS })
}

type Company = { readonly name: string; readonly credits: number; readonly accounts: number }

async function keysOf({ port, installation }: ProcessTarget, { name, credits, accounts }: Company): Promise<string[]> {
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
  const keys: string[] = []
  for (let n = 0; n < accounts; n++) {
    const email = `admin${n}@${name}.example`
    const user = `email: "${email}", password: "${PASSWORD}", companyId: "${createCompany?.id}"`
    await ask(`mutation { createUser(input: { ${user} }) { id } }`, root)
    const { login } = await ask(`mutation { login(email: "${email}", password: "${PASSWORD}") { token } }`, '')
    const { mintApiKey } = await ask(
      `mutation { mintApiKey(input: { name: "${name}", rpm: 1000000, tpm: 1000000000 }) { secret } }`,
      login?.token ?? '',
    )
    keys.push(mintApiKey?.secret ?? '')
  }
  for (const key of keys) {
    await until('the gateway knows the key and the credits', async () => {
      const usage = await fetch(`http://127.0.0.1:${port('gateway')}/llm/v1/usage`, {
        headers: { authorization: `Bearer ${key}` },
      })
      const { balance } = (await usage.json()) as { balance?: { credits: number } }
      return usage.status === 200 && balance?.credits === credits
    })
  }
  return keys
}
