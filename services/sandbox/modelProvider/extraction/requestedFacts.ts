import { nameWords } from './foldedText.ts'

/** The fact that a property asks for, by the words of its name. Narrower terms come first. */
const CONCEPTS: readonly (readonly [string, RegExp])[] = [
  ['email', /\be ?mails?\b|\bmail\b/],
  ['phone', /\b(tele)?phone\b|\btel\b|\bmobile\b|\bphone number\b/],
  ['employmentType', /\b(employment|contract|job|work) (type|kind|form)\b/],
  ['seniority', /\bseniority\b|\b(experience|career|job) level\b/],
  ['preferred', /\bnice\b|\bpreferred\b|\boptional\b|\bbonus\b|\bdesirable\b|\bpluses\b/],
  ['required', /\bmust\b|\brequirements?\b|\brequired\b/],
  ['responsibilities', /\bresponsibilit(y|ies)\b|\bduties\b|\btasks\b/],
  ['benefits', /\bbenefits\b|\bperks\b/],
  ['salary', /\bsalary\b|\bcompensation\b|\bpay\b|\bwage\b|\bremuneration\b/],
  ['min', /\bmin(imum)?\b|\blowest\b/],
  ['max', /\bmax(imum)?\b|\bhighest\b/],
  ['currency', /\bcurrency\b/],
  ['period', /\bperiod\b|\binterval\b|\bper\b/],
  ['languages', /\blanguages?\b/],
  ['skills', /\bskills?\b|\bcompetenc(y|ies|es)\b|\btechnologies\b|\btech stack\b/],
  ['education', /\beducation\b|\bstudies\b|\bacademic\b|\bschools\b|\bdegrees\b/],
  ['experience', /\bexperiences?\b|\bemployment\b|\bwork history\b|\bcareer\b|\bpositions\b|\bjobs\b/],
  ['links', /\blinks?\b|\burls?\b|\bwebsites?\b|\bhomepage\b|\bportfolio\b|\blinkedin\b|\bgithub\b/],
  ['location', /\blocation\b|\baddress\b|\bcity\b|\bplace\b|\bresidence\b|\btown\b/],
  ['years', /\byears?\b/],
  ['level', /\blevel\b|\bproficiency\b|\bfluency\b/],
  ['start', /\bstart(ed|s)?\b|\bfrom\b|\bbegin(ning)?\b|\bsince\b/],
  ['end', /\bend(ed|s)?\b|\bto\b|\buntil\b|\bgraduat(ion|ed)\b/],
  ['description', /\bdescription\b|\bhighlights\b|\bachievements\b|\bdetails\b/],
  ['summary', /\bsummary\b|\bprofile\b|\bobjective\b|\babout\b|\bbio\b/],
  ['company', /\bcompany\b|\bemployer\b|\borgani[sz]ation\b|\binstitution\b|\bschool\b|\buniversity\b|\bcollege\b/],
  ['title', /\btitle\b|\bposition\b|\brole\b|\bdegree\b|\bdiploma\b|\bqualification\b|\bheadline\b/],
  ['name', /\bname\b/],
]

/** The facts that a property may ask for, most likely first. The name counts more than the description. */
export function requestedFacts(name: string, description: string): string[] {
  const found = [...matching(nameWords(name)), ...(name === '' ? matching(nameWords(description)) : [])]
  return found.length > 0 ? found : matching(nameWords(description)).slice(0, 1)
}

function matching(words: string): string[] {
  return CONCEPTS.filter(([, pattern]) => pattern.test(words)).map(([concept]) => concept)
}
