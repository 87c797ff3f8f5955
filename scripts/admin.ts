import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { askPassword } from './admin/askPassword.ts'
import { createSuperAdmin, requireAddress, userOf } from './admin/superAdmin.ts'
import { runCommand, WrongUsage } from './cli/command.ts'
import { withInstallation } from './cli/withInstallation.ts'

const HELP = `npm run admin -- create-super-admin --email <address> [--generate-password] [--json]

Creates a super admin: the first user of a real installation, who creates companies and all other users.

  The password is read from the terminal without echo. Without a terminal it is the first line of standard input:
    npm run -s admin -- create-super-admin --email root@example.com < password.txt

  --generate-password   generates a password and prints it once
  --json                prints one JSON document
`

const ACTIONS = ['create-super-admin']

await runCommand({
  help: HELP,
  run: async (args) => {
    const { values, positionals } = parseArgs({
      args,
      options: { email: { type: 'string' }, 'generate-password': { type: 'boolean' }, json: { type: 'boolean' } },
      allowPositionals: true,
    })
    const [action] = positionals
    if (action === undefined || !ACTIONS.includes(action) || positionals.length > 1) {
      throw new WrongUsage(`an action is required: ${ACTIONS.join(', ')}`)
    }
    if (values.email === undefined) throw new WrongUsage('--email is missing')
    const email = values.email.trim().toLowerCase()
    try {
      requireAddress(email)
    } catch (error) {
      throw new WrongUsage((error as Error).message)
    }
    const generated = values['generate-password'] ? randomBytes(15).toString('base64url') : null

    const userId = await withInstallation(async (engines) => {
      const taken = await userOf(engines, email)
      if (taken !== null) throw new Error(`${email} is already the address of user ${taken}`)
      const password = generated ?? (await askPassword(process.stdin, (text) => process.stderr.write(text)))
      return createSuperAdmin(engines, email, password)
    })
    const user = { userId, email, isSuperAdmin: true, ...(generated === null ? {} : { password: generated }) }
    if (values.json) process.stdout.write(`${JSON.stringify(user, null, 2)}\n`)
    else {
      process.stdout.write(`Super admin ${email} created: user ${userId}\n`)
      if (generated !== null) process.stdout.write(`Password, shown only once: ${generated}\n`)
    }
    return 0
  },
})
