import { type Skill, skillOf } from './skills.ts'
import { LANGUAGES } from './vocabulary.ts'
import { folded, wordsOf } from './words.ts'

export type SkillRequirement = {
  /** The text of the posting, shortened to the requirement itself. */
  readonly label: string
  /** Any of these skills meets the requirement. */
  readonly anyOf: readonly Skill[]
}

export type Requirements = {
  readonly skills: readonly SkillRequirement[]
  readonly languages: readonly string[]
  /** The largest number of years that any requirement asks for; null if none does. */
  readonly years: number | null
}

const YEARS = /(\d{1,2})\s*(?:\+|plus|-\s*\d{1,2}|–\s*\d{1,2})?\s*(?:years?|yrs?|jahren?|ans?)\b/gi
const YEARS_MAX = 50
/** Words that say how much a skill is wanted, not which one. */
const FILLER = new Set(
  `a an and at in of on the to with for or experience experienced expertise knowledge proficiency proficient fluent fluency
  strong solid good great excellent deep proven hands working practical professional previous relevant some skill ability
  familiarity familiar understanding background must have required preferred plus nice your you we our is are as
  advanced basic native spoken written level c1 c2 b1 b2 a1 a2 least minimum more over year month using use`.split(
    /\s+/,
  ),
)

/** The requirements in the lines of a posting. */
export function readRequirements(lines: readonly string[]): Requirements {
  const skills: SkillRequirement[] = []
  const languages = new Set<string>()
  let years: number | null = null
  for (const line of lines) {
    for (const [, number] of line.matchAll(YEARS)) {
      if (Number(number) <= YEARS_MAX) years = Math.max(years ?? 0, Number(number))
    }
    for (const item of line.replace(YEARS, ' ').split(/[,;•]|\s(?:and|und|et|&)\s/i)) {
      const spoken = languagesIn(item)
      for (const language of spoken) languages.add(language)
      const label = withoutFiller(item)
      const anyOf = alternatives(label)
      // "Fluent German" names only a language; "German tax law" does not.
      if (anyOf.length > 0 && !(spoken.length > 0 && wordsOf(label).every((word) => word in LANGUAGES))) {
        skills.push({ label, anyOf })
      }
    }
  }
  return { skills, languages: [...languages], years }
}

/** The human languages that a text names, by their English names. */
export function languagesIn(text: string): string[] {
  return [...new Set(wordsOf(text).flatMap((word) => LANGUAGES[word] ?? []))]
}

function alternatives(text: string): Skill[] {
  const whole = skillOf(text)
  const parts = folded(text)
    .replace(/\bci ?\/ ?cd\b/g, 'cicd')
    .replace(/\b(ui|ux|a|tcp) ?\/ ?(ui|ux|b|ip)\b/g, '$1$2')
    .split(/\s+(?:or|oder|ou)\s+|\/|\|/)
  if (parts.length === 1) return whole ? [whole] : []
  return parts.flatMap((part) => skillOf(part) ?? [])
}

/** Removes filler words from both ends and keeps the spelling of the rest. */
function withoutFiller(text: string): string {
  const words = text.trim().split(/\s+/)
  const bare = (word: string | undefined) => folded(word ?? '').replace(/[^\p{L}\p{N}+#]/gu, '')
  const isFiller = (word: string | undefined) => {
    const plain = bare(word)
    return plain === '' || FILLER.has(plain) || FILLER.has(plain.replace(/s$/, '')) || plain === 'handson'
  }
  let from = 0
  let to = words.length
  while (from < to && isFiller(words[from])) from++
  while (to > from && isFiller(words[to - 1])) to--
  return words.slice(from, to).join(' ')
}
