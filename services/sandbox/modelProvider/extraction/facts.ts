import { DOCUMENT_TEXT_CHARS_MAX } from '../../../../contracts/limits.ts'
import { emailIn, homeIn, linksIn, personNameIn, phoneIn } from './contact.ts'
import { type Entry, entriesOf } from './entries.ts'
import { type Labelled, labelledLines } from './labels.ts'
import { languagesOf, pointsOf, skillsOf } from './lists.ts'
import { positionIn } from './position.ts'
import { salaryIn } from './salary.ts'
import { linesOf, type Sections, sectionsOf } from './sections.ts'

export type Fact = string | number | boolean | null | readonly Fact[] | Facts
/** The facts found in a text, by the names that the rules give them. */
export interface Facts {
  readonly [name: string]: Fact
}

export type ReadText = {
  readonly text: string
  readonly facts: Facts
  readonly labelled: readonly Labelled[]
  readonly sections: Sections
}

const LINES_MAX = 3_000
const WORD_CHARS_MAX = 300
const LONG_WORDS = new RegExp(`(\\S{${WORD_CHARS_MAX}})\\S+`, 'g')

/** Extracts all facts that the rules know, before any of them is asked for. */
export function readText(whole: string): ReadText {
  const text = bounded(whole)
  const sections = sectionsOf(text)
  const head = [...sections.head, ...linesOf(sections, 'contact')]
  const labelled = labelledLines(text.split(/\r\n?|\n/))
  const isPosting = ['responsibilities', 'required', 'preferred'].some((kind) =>
    sections.all.some((each) => each.kind === kind),
  )
  const facts = isPosting ? postingFacts(text, sections, head, labelled) : personFacts(text, sections, head, labelled)
  return { text, sections, labelled, facts: { ...facts, links: linksIn(text), email: emailIn(text) } }
}

function personFacts(text: string, sections: Sections, head: readonly string[], labelled: readonly Labelled[]): Facts {
  const name = personNameIn(sections.head, labelled)
  const experience = entriesOf(linesOf(sections, 'experience'), 'work').map(factsOfEntry)
  const [latest] = experience
  return {
    name,
    phone: phoneIn(head.join('\n')) ?? phoneIn(text),
    location: homeIn(head, labelled, name),
    summary: pointsOf(linesOf(sections, 'summary')).join(' ') || null,
    skills: skillsOf(linesOf(sections, 'skills')),
    experience,
    education: entriesOf(linesOf(sections, 'education'), 'study').map(factsOfEntry),
    languages: languagesOf(linesOf(sections, 'languages')),
    title: latest?.title ?? null,
    company: latest?.company ?? null,
  }
}

function postingFacts(text: string, sections: Sections, head: readonly string[], labelled: readonly Labelled[]): Facts {
  const required = linesOf(sections, 'required')
  return {
    ...positionIn(head, labelled),
    phone: phoneIn(text),
    salary: { ...salaryIn(text.split(/\r\n?|\n/)) },
    // In a posting without a list of requirements, the "profile" section holds them.
    required: pointsOf(required.length > 0 ? required : linesOf(sections, 'summary')),
    preferred: pointsOf(linesOf(sections, 'preferred')),
    responsibilities: pointsOf(linesOf(sections, 'responsibilities')),
    benefits: pointsOf(linesOf(sections, 'benefits')),
    skills: skillsOf(linesOf(sections, 'skills')),
    languages: languagesOf(linesOf(sections, 'languages')),
    summary: pointsOf(linesOf(sections, 'about')).join(' ') || null,
  }
}

/** Positions and studies share these names, so that a schema of either finds them. */
function factsOfEntry({ title, organisation, start, end, description }: Entry) {
  return { title, name: title, company: organisation, start, end, description }
}

/**
 * Cuts the text to the size of a long CV, and its words to the length of a long link. The rules scan lines and words
 * more than once, so their cost must be bounded.
 */
function bounded(text: string): string {
  const lines = text.slice(0, DOCUMENT_TEXT_CHARS_MAX).split(/\r\n?|\n/, LINES_MAX)
  return lines.join('\n').replace(LONG_WORDS, '$1')
}
