import { fold } from './foldedText.ts'

export type SectionKind =
  | 'summary'
  | 'experience'
  | 'education'
  | 'skills'
  | 'languages'
  | 'links'
  | 'contact'
  | 'responsibilities'
  | 'required'
  | 'preferred'
  | 'benefits'
  | 'about'

export type Section = {
  readonly kind: SectionKind | null
  readonly heading: string
  readonly lines: string[]
}

export type Sections = {
  /** The lines before the first heading. */
  readonly head: readonly string[]
  readonly all: readonly Section[]
}

/** Headings of CVs and job postings in folded form, without the words of `AROUND`. */
const HEADINGS: Readonly<Record<SectionKind, readonly string[]>> = {
  summary: [
    ...['summary', 'profile', 'objective', 'about me', 'personal statement', 'career summary', 'executive summary'],
    ...['profil', 'kurzprofil', 'uber mich', 'zusammenfassung', 'zur person', 'ziele', 'profil professionnel'],
    ...['a propos', 'a propos de moi', 'resume', 'presentation', 'objectif', 'perfil', 'resumen', 'sobre mi'],
  ],
  experience: [
    ...[
      'experience',
      'work experience',
      'employment',
      'employment history',
      'work history',
      'career',
      'career history',
    ],
    ...['positions', 'positions held', 'jobs', 'relevant experience', 'professional background', 'berufserfahrung'],
    ...['berufspraxis', 'beruflicher werdegang', 'werdegang', 'berufliche erfahrung', 'berufliche stationen'],
    ...['praxiserfahrung', 'arbeitserfahrung', 'berufstatigkeit', 'experience professionnelle', 'experiences'],
    ...['experiences professionnelles', 'parcours', 'parcours professionnel', 'emplois', 'experiencia'],
    ...['experiencia laboral', 'experiencia profesional'],
  ],
  education: [
    ...['education', 'training', 'education and training', 'academic background', 'academic qualifications', 'studies'],
    ...[
      'qualifications',
      'academic history',
      'degrees',
      'schooling',
      'ausbildung',
      'studium',
      'bildung',
      'schulbildung',
    ],
    ...['studium und ausbildung', 'ausbildung und studium', 'bildungsweg', 'bildungsgang', 'akademischer werdegang'],
    ...['hochschulbildung', 'schule', 'formation', 'formations', 'etudes', 'diplomes', 'diplomes et formations'],
    ...['formation academique', 'cursus', 'scolarite', 'educacion', 'formacion', 'estudios'],
  ],
  skills: [
    ...['skills', 'technical skills', 'core skills', 'skill set', 'competencies', 'core competencies', 'expertise'],
    ...['technologies', 'tech stack', 'stack', 'tools', 'areas of expertise', 'abilities', 'kenntnisse', 'fahigkeiten'],
    ...['fachkenntnisse', 'kompetenzen', 'edv kenntnisse', 'it kenntnisse', 'qualifikationen', 'faehigkeiten'],
    ...['kernkompetenzen', 'competences', 'competences cles', 'competences techniques', 'savoir faire', 'savoir-faire'],
    ...['outils', 'aptitudes', 'habilidades', 'competencias', 'conocimientos'],
  ],
  languages: [
    ...['languages', 'language skills', 'spoken languages', 'sprachen', 'sprachkenntnisse', 'fremdsprachen', 'langues'],
    ...['competences linguistiques', 'langues parlees', 'idiomas'],
  ],
  links: ['links', 'web', 'online', 'websites', 'internet', 'profiles', 'liens', 'sites', 'portfolio', 'enlaces'],
  contact: [
    ...['contact', 'contact details', 'contact information', 'personal details', 'personal information', 'kontakt'],
    ...[
      'kontaktdaten',
      'personliche daten',
      'personliche angaben',
      'coordonnees',
      'informations personnelles',
      'facts',
    ],
    ...['contacto', 'datos personales', 'key facts', 'at a glance', 'eckdaten', 'auf einen blick', 'en bref'],
  ],
  responsibilities: [
    ...[
      'responsibilities',
      'tasks',
      'duties',
      'what you will do',
      "what you'll do",
      'what you do',
      'day to day',
      'role',
    ],
    ...['job duties', 'the role involves', 'you will', 'aufgaben', 'aufgabengebiet', 'tatigkeiten', 'aufgabenbereich'],
    ...['das erwartet dich', 'das erwartet sie', 'was sie erwartet', 'was dich erwartet', 'verantwortung', 'missions'],
    ...['missions principales', 'taches', 'responsabilites', 'activites', 'responsabilidades', 'funciones', 'tareas'],
    ...['ce que vous ferez', 'mission'],
  ],
  required: [
    ...['requirements', 'required', 'must have', 'must haves', 'you must have', 'what we are looking for', 'you have'],
    ...[
      "what we're looking for",
      'what you bring',
      'what you need',
      'who you are',
      'essential',
      'qualifications required',
    ],
    ...['required qualifications', 'required skills', 'minimum qualifications', 'basic qualifications', 'about you'],
    ...[
      'we expect',
      'anforderungen',
      'anforderungsprofil',
      'voraussetzungen',
      'das bringen sie mit',
      'das bringst du mit',
    ],
    ...['was sie mitbringen', 'was du mitbringst', 'ihr profil', 'dein profil', 'wir erwarten', 'qualifikation'],
    ...['profil recherche', 'votre profil', 'exigences', 'competences requises', 'prerequis', 'ce que vous apportez'],
    ...['qualifications requises', 'profil souhaite', 'requisitos', 'tu perfil'],
  ],
  preferred: [
    ...['nice to have', 'nice to haves', 'bonus', 'bonus points', 'preferred', 'preferred qualifications', 'desirable'],
    ...[
      'preferred skills',
      'plus',
      'pluses',
      'a plus',
      'advantage',
      'advantageous',
      'good to have',
      'optional',
      'ideally',
    ],
    ...['would be great', 'von vorteil', 'wunschenswert', 'idealerweise', 'pluspunkte', 'bonuspunkte', 'schon ware'],
    ...['das ware schon', 'atouts', 'un plus', 'les plus', 'souhaite', 'apprecie', 'serait un plus', 'deseable'],
  ],
  benefits: [
    ...[
      'benefits',
      'perks',
      'what we offer',
      'we offer',
      'our offer',
      'offer',
      'why us',
      'wir bieten',
      'unser angebot',
    ],
    ...['das bieten wir', 'was wir bieten', 'benefits', 'vorteile', 'nous offrons', 'avantages', 'ce que nous offrons'],
    ...['on vous offre', 'ofrecemos', 'beneficios'],
  ],
  about: [
    ...['about', 'about us', 'about the company', 'who we are', 'the company', 'about the job', 'about the role'],
    ...[
      'the role',
      'the job',
      'the position',
      'the team',
      'job description',
      'uber uns',
      'das unternehmen',
      'wer wir sind',
    ],
    ...[
      'wir uber uns',
      'a propos de nous',
      "l'entreprise",
      'qui sommes nous',
      'le poste',
      'sobre nosotros',
      'die stelle',
    ],
    ...['references', 'referenzen', 'hobbies', 'interests', 'interessen', 'interets', 'loisirs', 'certifications'],
    ...['zertifikate', 'certificates', 'publications', 'projects', 'projekte', 'projets', 'awards', 'how to apply'],
    ...['bewerbung', 'candidature', 'apply', 'volunteering', 'ehrenamt', "centres d'interet", 'divers', 'sonstiges'],
  ],
}

/** Words that may surround a heading without changing its meaning. */
const AROUND =
  /\b(your|our|my|the|key|main|primary|professional|ihre?|deine?|unsere?|meine?|vos|votre|nos|notre|mes|mon|principales|wichtigste|relevante?|additional|weitere|other)\b/g
const HEADING_CHARS_MAX = 50
const KINDS = new Map(
  (Object.keys(HEADINGS) as SectionKind[]).flatMap((kind) => HEADINGS[kind].map((heading) => [heading, kind] as const)),
)

export function sectionsOf(text: string): Sections {
  const head: string[] = []
  const all: Section[] = []
  const lines = text.split(/\r\n?|\n/)
  let current: string[] = head
  for (const line of lines) {
    if (isRule(line) || (all.length === 0 && head.every(isBlank) && isDocumentTitle(line))) continue
    const opened = opens(line, all.length > 0)
    if (opened) {
      all.push(opened)
      current = opened.lines
    } else {
      current.push(line)
    }
  }
  return { head, all }
}

/** The lines of all sections of a kind, in document order. */
export function linesOf(sections: Sections, kind: SectionKind): string[] {
  return sections.all.filter((section) => section.kind === kind).flatMap(({ lines }) => lines)
}

export function kindOfHeading(text: string): SectionKind | null {
  const folded = fold(text)
  const known = KINDS.get(folded) ?? KINDS.get(folded.replace(/[-/&]/g, ' ').replace(/\s+/g, ' ').trim())
  if (known) return known
  const bare = folded.replace(AROUND, ' ').replace(/\s+/g, ' ').trim()
  return KINDS.get(bare) ?? null
}

/** The section that a line opens: a heading alone on its line, or a heading and its text after a colon. */
function opens(line: string, afterHeadings: boolean): Section | null {
  const trimmed = line.trim()
  if (trimmed === '' || isBullet(line)) return null
  if (trimmed.length <= HEADING_CHARS_MAX && !/[.!?]$/.test(trimmed)) {
    const kind = kindOfHeading(trimmed)
    if (kind) return { kind, heading: trimmed, lines: [] }
    // An unknown heading in capitals also ends the section before it.
    if (
      /\p{Lu}{3}/u.test(trimmed) &&
      !/[\p{Ll}\d@|,]/u.test(trimmed) &&
      afterHeadings &&
      trimmed.split(' ').length <= 4
    ) {
      return isPlainWords(trimmed) ? null : { kind: null, heading: trimmed, lines: [] }
    }
    if (afterHeadings && /^[^:]{3,}:$/.test(trimmed)) return { kind: null, heading: trimmed, lines: [] }
  }
  const labelled = /^([^:]{2,40}?)\s*:\s+(\S.*)$/.exec(trimmed)
  const kind = labelled ? kindOfHeading(labelled[1] ?? '') : null
  if (!labelled || !kind || !INLINE_KINDS.has(kind)) return null
  return { kind, heading: labelled[1] ?? '', lines: [labelled[2] ?? ''] }
}

/** Kinds whose heading may share a line with its text. For other kinds, such a line is a label: a contact, a company. */
const INLINE_KINDS: ReadonlySet<SectionKind> = new Set([
  'summary',
  'skills',
  'languages',
  'required',
  'preferred',
  'responsibilities',
  'benefits',
  'links',
])

/** Whether a line in capitals may be a person's name instead of a heading. */
function isPlainWords(text: string): boolean {
  return /^[\p{Lu}'’-]+( [\p{Lu}'’-]+){1,3}$/u.test(text)
}

export function isBullet(line: string): boolean {
  return /^\s*(?:[-–—*•·▪◦‣●]|\d{1,2}[.)])\s+/.test(line)
}

export function withoutBullet(line: string): string {
  return line.replace(/^\s*(?:[-–—*•·▪◦‣●]|\d{1,2}[.)])\s+/, '').trim()
}

/** A title such as "Curriculum vitae", which carries no fact. */
function isDocumentTitle(line: string): boolean {
  return /^(resume|curriculum vitae|cv|lebenslauf|curriculum|job description|stellenanzeige)$/.test(fold(line))
}

function isRule(line: string): boolean {
  return /^\s*[-=_*~]{3,}\s*$/.test(line)
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === ''
}
