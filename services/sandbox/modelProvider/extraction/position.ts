import { placeIn } from './contact.ts'
import { fold } from './foldedText.ts'
import { type Labelled, valueBehind } from './labels.ts'
import { looksLikeOrganisation } from './organisationWords.ts'
import { isBullet } from './sections.ts'

/** The facts at the top of a job posting. */
export type Position = {
  readonly title: string | null
  readonly company: string | null
  readonly location: string | null
  readonly employmentType: string | null
  readonly seniority: string | null
}

const TITLE_LABEL =
  /^(job title|title|position|role|stelle|stellenbezeichnung|titel|poste|intitule( du poste)?|offre d'emploi|puesto|vacancy|job)$/
const COMPANY_LABEL =
  /^(company|employer|organi[sz]ation|firma|unternehmen|arbeitgeber|entreprise|societe|employeur|empresa)$/
const PLACE_LABEL =
  /^(location|work location|place( of work)?|where|based in|city|office|standort|einsatzort|arbeitsort|dienstort|ort|lieu( de travail)?|localisation|ville|ubicacion|lugar)$/
const TYPE_LABEL =
  /^(employment( type)?|job type|contract( type)?|type|hours|working hours|beschaftigungsart|anstellungsart|anstellung|vertragsart|arbeitszeit|umfang|(type de )?contrat|temps de travail|jornada)$/
const SENIORITY_LABEL = /^(seniority|level|experience level|career level|karrierestufe|erfahrungsstufe|niveau)$/
const SEEKS =
  /^(?:(?:the|die|der|das|la|le|les)\s+)?(.+?)\s+(?:is (?:now )?(?:hiring|looking for|seeking|recruiting)|(?:sucht|suchen)|(?:recherche|recrute|cherche)|busca)\b\s*(.*)$/iu

/** Employment types and levels with the words that mean them. The first match wins. */
export const EMPLOYMENT_WORDS: readonly (readonly [string, RegExp])[] = [
  ['internship', /\b(internship|intern|praktikum|praktikant(in)?|stage|stagiaire|practicas|trainee)\b/],
  ['part_time', /\b(part[ -]?time|teilzeit|temps partiel|mi-temps|media jornada)\b/],
  ['freelance', /\b(freelance[r]?|freiberuflich|self[ -]employed|independant|autonomo)\b/],
  ['temporary', /\b(temporary|temp|fixed[ -]term|befristete?|aushilfe|cdd|interim|seasonal|saisonal)\b/],
  ['contract', /\b(contractor|contract|b2b)\b/],
  ['full_time', /\b(full[ -]?time|vollzeit|temps plein|permanent|cdi|festanstellung|unbefristet|jornada completa)\b/],
]
export const SENIORITY_WORDS: readonly (readonly [string, RegExp])[] = [
  ['intern', /\b(intern|internship|praktikum|praktikant(in)?|stage|stagiaire|werkstudent(in)?|trainee)\b/],
  ['director', /\b(director|directeur|directrice|direktor(in)?|vice president|vp|chief|cfo|cto|ceo)\b/],
  ['principal', /\b(principal|staff engineer|distinguished)\b/],
  ['lead', /\b(lead|leader|head of|team lead|leiter(in)?|teamleiter(in)?|leitung|responsable|chef de|cheffe de)\b/],
  ['senior', /\b(senior|sr)\b/],
  ['junior', /\b(junior|jr|entry[ -]level|graduate|berufseinsteiger|debutante?)\b/],
  ['mid', /\b(mid|mid[ -]level|intermediate)\b/],
]

export function positionIn(head: readonly string[], labelled: readonly Labelled[]): Position {
  const lines = head.map((line) => line.trim()).filter((line) => line !== '' && !isBullet(line))
  const free = lines.filter((line) => !labelled.some(({ label, value }) => fold(line) === fold(`${label}: ${value}`)))
  const seeking = seekingLine(free)
  const title = valueBehind(labelled, TITLE_LABEL) ?? seeking?.title ?? free.find((line) => !isSentence(line)) ?? null
  const beside = free.filter((line) => line !== title && line !== seeking?.line && !isSentence(line))
  const parts = beside[0]?.split(/\s+\|\s+|\s+[–—]\s+|\s+-\s+|\s+·\s+|\t/).map((part) => part.trim()) ?? []
  const [company, place] =
    parts.length === 1 ? companyAndPlace(parts[0] as string) : [parts[0] ?? null, parts[1] ?? null]
  const statedCompany = valueBehind(labelled, COMPANY_LABEL) ?? seeking?.company ?? null
  const location =
    valueBehind(labelled, PLACE_LABEL) ?? (statedCompany === null ? place : null) ?? placeInSentence(free)
  const type = valueBehind(labelled, TYPE_LABEL)
  return {
    title,
    company: statedCompany ?? company,
    location: location === null ? null : placeIn(location),
    employmentType:
      (type === null ? null : wordFor(EMPLOYMENT_WORDS, type)) ??
      firstWordFor(EMPLOYMENT_WORDS, free) ??
      (title === null ? null : wordFor(EMPLOYMENT_WORDS.slice(0, 1), title)),
    seniority: wordFor(SENIORITY_WORDS, valueBehind(labelled, SENIORITY_LABEL) ?? title ?? ''),
  }
}

export function wordFor(words: readonly (readonly [string, RegExp])[], text: string): string | null {
  const folded = fold(text)
  return words.find(([, pattern]) => pattern.test(folded))?.[0] ?? null
}

/** The order of the words decides, not the order of the lines. */
function firstWordFor(words: readonly (readonly [string, RegExp])[], lines: readonly string[]): string | null {
  return wordFor(words, lines.join('\n'))
}

/** A line such as "Acme is looking for a": the title follows on the same line or the next. */
function seekingLine(lines: readonly string[]): { line: string; company: string; title: string | null } | null {
  for (const [at, line] of lines.entries()) {
    const match = SEEKS.exec(line)
    if (!match) continue
    const behind = (match[2] ?? '').replace(/^[\s:]+|[\s:]+$/g, '')
    const named = /^(?:an?|eine?n?|une?)?\s*(\p{Lu}.*)$/u.exec(behind)?.[1]
    return { line, company: match[1] ?? '', title: named ?? lines[at + 1] ?? null }
  }
  return null
}

/** A line of the form "Company, Place". */
function companyAndPlace(line: string): [string | null, string | null] {
  const comma = line.indexOf(', ')
  if (comma === -1) return [line, null]
  const [before, behind] = [line.slice(0, comma), line.slice(comma + 2)]
  return looksLikeOrganisation(before) || !looksLikeOrganisation(line) ? [before, behind] : [line, null]
}

function placeInSentence(lines: readonly string[]): string | null {
  const sentence = lines.filter(isSentence).join(' ')
  return /\s(?:in|à|en)\s+(\p{Lu}[\p{L}-]+(?: \p{Lu}[\p{L}-]+)?)/u.exec(sentence)?.[1] ?? null
}

function isSentence(line: string): boolean {
  return /[.!?]$/.test(line) && line.split(/\s+/).length > 4
}
