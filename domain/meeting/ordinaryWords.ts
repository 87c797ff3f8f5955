/**
 * What a summary may say beside its facts: ordinary words of an English report, none of which is a number or anybody's
 * name. Whatever else stands in a summary must stand in the facts.
 */
export const ORDINARY_WORDS: ReadonlySet<string> = new Set(
  `a about above according across after afterwards again all along already also although an and another any applicant
  application are around as asked assessed at available background based be because been before began begin behind being
  below beside between both brief briefly but by call called came can candidate candidate's closed company complete
  completed concerned concerning conducted connected considered contained conversation could covered created current
  currently date day days detailed details did discussed discussion does done down due duration during each either employer
  end ended ending ends entire evaluated evaluation experience experienced experiences filled finished fit fits
  fitting focused for found from fully further gave given good had has have having held her here him his hiring hour hours
  how however if in including information interview interviewed interviewer into introduced involved is it its itself job
  just kept known language languages last lasted lasting least length less level like linked listed lists location located
  long looked made main match matched matches matching meant meet meeting meetings mention mentioned met minute minutes
  more most moreover name named near needed needs neither next no nor not noted nothing now of off offered on once only open
  opened or other otherwise out outcome over overall overview part participant participants participated people person place
  planned points position possible posting potential present presented profile provided published reached recorded regarding
  related relevant report reported required requirement requirements requires respectively result results review reviewed
  role room rooms said same scheduled score scored scores second seconds see seems seniority session shared she short should
  shown shows since skill skilled skills so some speak speaking speaks spoke spoken stands start started starting starts
  stated states still strong such suitable suited summarised summarized summary summing taken takes talent talent's talents
  talk talked team than that the their them then there therefore these they this those through throughout time times title to
  together took topic topics total towards under until up upon us used using utc video was we well were what when
  where whereas which while who whole whom whose with within without work worked working would year years you your`
    .split(/\s+/)
    .filter((word) => word !== ''),
)
