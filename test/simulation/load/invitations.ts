import type { Mailbox } from '../parties/mailbox.ts'
import type { Random } from '../scheduler/random.ts'
import type { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import type { Simulation } from '../simulation.ts'
import type { Load } from '../world.ts'
import type { Books, Company, Invitation } from './books.ts'
import type { Client } from './client.ts'
import { patiently, pause } from './patience.ts'

const PAUSE_MS_MAX = 12_000
const PASSWORD = 'a password of a guest'

export type InvitationsOptions = {
  readonly simulation: Simulation
  readonly owner: SimulatedProcess
  readonly client: Client
  readonly books: Books
  readonly mailbox: Mailbox
}

/** Owners invite people, who use the link of the mail when it arrives. */
export class Invitations implements Load {
  readonly #options: InvitationsOptions
  readonly #random: Random
  #isOn = false
  #number = 0

  constructor(options: InvitationsOptions) {
    this.#options = options
    this.#random = options.simulation.random('invitations')
  }

  start(): void {
    this.#isOn = true
    const { simulation, owner } = this.#options
    simulation.scheduler.processes.run(owner, () => void this.#inviteOnAndOn())
  }

  stop(): void {
    this.#isOn = false
  }

  async #inviteOnAndOn(): Promise<void> {
    const { books } = this.#options
    while (this.#isOn) {
      await pause(this.#random.fraction() * PAUSE_MS_MAX)
      if (books.companies.length > 0) void this.#invite(this.#random.pick(books.companies))
    }
  }

  async #invite({ companyId, token }: Company): Promise<void> {
    const { client, books } = this.#options
    let email = ''
    const query = 'mutation($email: String!) { inviteUser(email: $email, role: DEVELOPER) { id } }'
    const invited = await patiently(
      () => this.#isOn,
      async () => {
        // A second invitation to the same address would revoke the first, which may have been created.
        this.#number += 1
        email = `guest-${this.#number}@guests.example`
        const { data, code } = await client.ask(query, { email }, token)
        return code === undefined ? (data.inviteUser.id as string) : null
      },
    )
    if (invited === null) return
    const invitation: Invitation = { companyId, email, invitationId: invited, state: 'sent' }
    books.invitations.push(invitation)
    await this.#accept(invitation)
  }

  /** Also when the load is over: the mail may come later. */
  async #accept(invitation: Invitation): Promise<void> {
    const { client, mailbox, simulation, books } = this.#options
    const { text } = await mailbox.mailTo(invitation.email, 'acceptInvitation')
    invitation.state = 'mailed'
    const token = /acceptInvitation\(token: "([^"]+)"/.exec(text)?.[1] ?? ''
    const query =
      'mutation($token: String!, $password: String!) { acceptInvitation(token: $token, password: $password) { token } }'
    let attempts = 0
    await patiently(
      () => true,
      async () => {
        attempts += 1
        const { code, message } = await client.ask(query, { token, password: PASSWORD })
        if (code !== undefined) simulation.scheduler.record(`guest is refused: ${code} ${message}`)
        if (code === 'BAD_USER_INPUT' && attempts === 1) {
          books.broken.push(`the link of ${invitation.email} is refused: ${message}`)
        }
        return code === undefined || code === 'BAD_USER_INPUT' ? true : null
      },
    )
    invitation.state = 'accepted'
  }
}
