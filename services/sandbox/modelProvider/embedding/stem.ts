/** Irregular forms. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    be: 'is are was were been being am',
    become: 'became becomes becoming',
    begin: 'began begun',
    break: 'broke broken',
    build: 'built',
    buy: 'bought',
    child: 'children',
    choose: 'chose chosen',
    come: 'came',
    do: 'did done does',
    drive: 'drove driven',
    eat: 'ate eaten',
    fall: 'fell fallen',
    find: 'found',
    fly: 'flew flown flies',
    forbid: 'forbade forbidden',
    forget: 'forgot forgotten',
    freeze: 'froze frozen',
    get: 'got gotten',
    give: 'gave given',
    go: 'went gone',
    good: 'better best',
    grow: 'grew grown',
    have: 'has had having',
    hold: 'held',
    keep: 'kept',
    know: 'knew known',
    leave: 'left',
    lose: 'lost losing',
    make: 'made',
    man: 'men',
    person: 'persons',
    mouse: 'mice',
    pay: 'paid',
    rise: 'rose risen',
    run: 'ran',
    say: 'said',
    see: 'saw seen',
    sell: 'sold',
    send: 'sent',
    show: 'shown',
    sit: 'sat',
    sleep: 'slept',
    speak: 'spoke spoken',
    spend: 'spent',
    stand: 'stood',
    steal: 'stole stolen',
    swim: 'swam swum',
    take: 'took taken',
    teach: 'taught',
    tell: 'told',
    thief: 'thieves',
    think: 'thought',
    tooth: 'teeth',
    win: 'won',
    woman: 'women',
    write: 'wrote written',
  }).flatMap(([root, forms]) => forms.split(' ').map((form): [string, string] => [form, root])),
)

/** Longest suffix first. The remainder must still be a word. */
const SUFFIXES = ['ations', 'ation', 'ments', 'ment', 'ingly', 'ings', 'ing', 'ness', 'ions', 'ion', 'edly', 'ers']
const SHORT_SUFFIXES = ['ies', 'ied', 'ed', 'er', 'ly', 'es', 's']
const ROOT_CHARS_MIN = 3

/** A common spelling for all forms of an English word. It is only compared, so it need not be a word. */
export function stem(word: string): string {
  const irregular = IRREGULAR.get(word)
  if (irregular !== undefined) return ending(irregular)
  for (const suffix of [...SUFFIXES, ...SHORT_SUFFIXES]) {
    if (!word.endsWith(suffix) || word.length - suffix.length < ROOT_CHARS_MIN) continue
    if (suffix === 's' && /[su]s$|is$/.test(word)) continue
    const root = word.slice(0, -suffix.length)
    if (suffix === 'ies' || suffix === 'ied') return ending(`${root}y`)
    return ending(undoubled(root))
  }
  return ending(word)
}

/** `stopp` from "stopped" becomes `stop`; "fall" and "pass" keep their double letters. */
function undoubled(root: string): string {
  return /([bdgmnprt])\1$/.test(root) ? root.slice(0, -1) : root
}

function ending(root: string): string {
  if (root.length <= ROOT_CHARS_MIN) return root
  return root.endsWith('e') ? root.slice(0, -1) : root.endsWith('y') ? `${root.slice(0, -1)}i` : root
}
