import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import { SimulatedProcess } from '../scheduler/simulatedProcess.ts'
import type { Simulation } from '../simulation.ts'

export const MAIL_HOST = 'mail'
const SMTP_PORT = 25
const END_OF_MAIL = '\r\n.\r\n'

export type ReceivedMail = {
  readonly messageId: string
  readonly to: readonly string[]
  /** Headers and body, without the line breaks of quoted-printable. */
  readonly text: string
}

/** A mail server for everyone, over SMTP. It refuses mails and loses its answers when the plan says so. */
export class Mailbox {
  readonly mails: ReceivedMail[] = []
  readonly #simulation: Simulation
  readonly #readers = new Map<string, ((mail: ReceivedMail) => void)[]>()

  constructor(simulation: Simulation) {
    this.#simulation = simulation
    const server = new EventEmitter().on('connection', (socket: Duplex) => this.#serve(socket))
    simulation.network.listen(new SimulatedProcess(MAIL_HOST), server, SMTP_PORT)
  }

  /** The next mail to the address that contains the text; one that has arrived already counts. */
  async mailTo(address: string, containing: string): Promise<ReceivedMail> {
    const isMeant = (mail: ReceivedMail) => mail.to.includes(address) && mail.text.includes(containing)
    const arrived = this.mails.find(isMeant)
    if (arrived) return arrived
    return new Promise((resolve) => {
      const readers = this.#readers.get(address) ?? []
      this.#readers.set(address, [...readers, (mail) => isMeant(mail) && resolve(mail)])
    })
  }

  #serve(socket: Duplex): void {
    let buffered = ''
    let to: string[] = []
    let isData = false
    const say = (line: string) => void socket.write(`${line}\r\n`)
    const command = (line: string) => {
      const verb = line.slice(0, 4).toUpperCase()
      if (verb === 'EHLO' || verb === 'HELO') say(`250 ${MAIL_HOST}`)
      else if (verb === 'MAIL') {
        to = []
        say(this.#simulation.faults.happens('mail is refused') ? '451 try again later' : '250 ok')
      } else if (verb === 'RCPT') {
        to.push(/<(.*)>/.exec(line)?.[1] ?? '')
        say('250 ok')
      } else if (verb === 'DATA') {
        isData = true
        say('354 go on')
      } else if (verb === 'QUIT') socket.end('221 bye\r\n')
      else say('250 ok')
    }
    socket.on('error', () => {})
    socket.on('end', () => socket.end())
    socket.on('data', (chunk: Buffer) => {
      buffered += chunk.toString('latin1')
      for (;;) {
        const end = buffered.indexOf(isData ? END_OF_MAIL : '\r\n')
        if (end < 0) return
        const part = buffered.slice(0, end)
        buffered = buffered.slice(end + (isData ? END_OF_MAIL : '\r\n').length)
        if (!isData) command(part)
        else {
          isData = false
          this.#received(to, part)
          if (this.#simulation.faults.happens('mail answer is lost')) socket.destroy()
          else say('250 accepted')
        }
      }
    })
    say(`220 ${MAIL_HOST}`)
  }

  #received(to: readonly string[], raw: string): void {
    const text = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
    const messageId = /^Message-ID: <(.*)>/im.exec(text)?.[1] ?? ''
    const mail = { messageId, to, text }
    if (this.mails.some((known) => known.messageId === messageId)) this.#simulation.counters.hit('a mail arrives again')
    this.mails.push(mail)
    this.#simulation.counters.hit('a mail arrives')
    for (const address of to) for (const read of this.#readers.get(address) ?? []) read(mail)
  }
}
