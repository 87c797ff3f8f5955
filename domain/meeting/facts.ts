import { durationOf, type Meeting } from './decider.ts'

/** All facts that a summary of a meeting may mention. */
export type MeetingFacts = Meeting & {
  /** null if the name only repeats the links. */
  readonly room: string | null
  readonly job: {
    readonly title: string
    readonly location: string | null
    readonly seniority: string | null
    readonly requirements: readonly string[]
  } | null
  readonly talent: {
    readonly name: string
    readonly location: string | null
    readonly seniority: string | null
    readonly yearsOfExperience: number | null
    readonly skills: readonly string[]
    readonly languages: readonly string[]
  } | null
  /** 0 to 100. */
  readonly score: number | null
}

/** One line per fact, as given to the model and as used to check its summary. */
export function factLines(facts: MeetingFacts): string[] {
  const { room, startedAt, endedAt, job, talent, score } = facts
  return [
    line('Room', room),
    line('Date', dayOf(startedAt)),
    line('Start', `${minuteOf(startedAt)} UTC`),
    line('End', `${dayOf(endedAt) === dayOf(startedAt) ? '' : `${dayOf(endedAt)} `}${minuteOf(endedAt)} UTC`),
    line('Duration', durationText(facts)),
    ...(job
      ? [
          line('Job', job.title),
          line('Location of the job', job.location),
          line('Seniority of the job', job.seniority),
          line('Requirements', list(job.requirements)),
        ]
      : []),
    ...(talent
      ? [
          line('Talent', talent.name),
          line('Location of the talent', talent.location),
          line('Seniority of the talent', talent.seniority),
          line('Years of experience', talent.yearsOfExperience === null ? null : String(talent.yearsOfExperience)),
          line('Skills', list(talent.skills)),
          line('Languages', list(talent.languages)),
        ]
      : []),
    line('Match score', score === null ? null : `${score} of 100`),
  ].filter((text) => text !== null)
}

/** A summary composed by rule. */
export function ruleSummary(facts: MeetingFacts): string {
  const { room, startedAt, endedAt, job, talent, score } = facts
  const about = job ? ` about the job ${job.title}` : ''
  const who = talent ? ` with ${talent.name}` : ''
  const where = room === null ? '' : ` in the room ${room}`
  const end = dayOf(endedAt) === dayOf(startedAt) ? '' : `${dayOf(endedAt)}, `
  return [
    `The meeting${about}${who}${where} took place on ${dayOf(startedAt)}`,
    ` from ${minuteOf(startedAt)} UTC to ${end}${minuteOf(endedAt)} UTC and lasted ${durationText(facts)}.`,
    score === null ? '' : ` The match score is ${score} of 100.`,
  ].join('')
}

function line(name: string, text: string | null): string | null {
  return text === null || text === '' ? null : `${name}: ${text}`
}

const list = (items: readonly string[]) => items.join(', ')
const dayOf = (at: string) => at.slice(0, 10)
const minuteOf = (at: string) => at.slice(11, 16)

/** Exact to the second below an hour, to the minute above. */
function durationText(meeting: Meeting): string {
  const seconds = Math.floor(durationOf(meeting))
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor(seconds / 60) % 60
  const parts = [counted(hours, 'hour'), counted(minutes, 'minute'), hours > 0 ? '' : counted(seconds % 60, 'second')]
  return parts.filter((part) => part !== '').join(' ') || 'less than a second'
}

function counted(count: number, unit: string): string {
  if (count === 0) return ''
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
