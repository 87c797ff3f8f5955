/**
 * The words that a summary may use besides those of its facts. None of them is a number or a name, praises, denies, or
 * reports that something was said or decided, because no fact does. Every other word must occur in the facts.
 */
export const ORDINARY_WORDS: ReadonlySet<string> = new Set(
  `a about after an and are as at based be been before began begin being between both by candidate candidate's concerned
  concerning connected current currently date dated day duration during each end ended ending ends experience for from had
  has have held her hers him his hour hours in include included includes including is it its itself job job's language
  languages last lasted lasting lasts linked list listed lists located location long match meeting meeting's minute minutes
  name named of on or overall participant participants participated person place position posting profile regarding related
  required requirement requirements requires role room room's score scored scores second seconds seniority she he they their
  them skill skills speak speaks spoken start started starting starts stated states summary take takes taking talent
  talent's that the then there these this those through throughout time title to together took total until up utc was were
  when where which while who whom whose with within year years`
    .split(/\s+/)
    .filter((word) => word !== ''),
)
