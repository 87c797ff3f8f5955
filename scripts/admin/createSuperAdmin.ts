import { randomBytes } from 'node:crypto'
import { WrongUsage } from '../cli/command.ts'
import { withInstallation } from '../cli/withInstallation.ts'
import { askPassword } from './askPassword.ts'
import { registerUser, requireAddress, userOf } from './users.ts'

export type CreateSuperAdminOptions = {
  readonly email?: string | undefined
  readonly 'generate-password'?: boolean | undefined
  readonly json?: boolean | undefined
}

export async function createSuperAdmin(options: CreateSuperAdminOptions): Promise<number> {
  if (options.email === undefined) throw new WrongUsage('--email is missing')
  const email = options.email.trim().toLowerCase()
  try {
    requireAddress(email)
  } catch (error) {
    throw new WrongUsage((error as Error).message)
  }
  const generated = options['generate-password'] ? randomBytes(15).toString('base64url') : null

  const userId = await withInstallation(async (engines) => {
    const taken = await userOf(engines, email)
    if (taken !== null) throw new Error(`${email} is already the address of user ${taken.userId}`)
    const password = generated ?? (await askPassword(process.stdin, (text) => process.stderr.write(text)))
    return registerUser(engines, { email, password, companyId: null })
  })
  const user = { userId, email, isSuperAdmin: true, ...(generated === null ? {} : { password: generated }) }
  if (options.json) process.stdout.write(`${JSON.stringify(user, null, 2)}\n`)
  else {
    process.stdout.write(`Super admin ${email} created: user ${userId}\n`)
    if (generated !== null) process.stdout.write(`Password, shown only once: ${generated}\n`)
  }
  return 0
}
