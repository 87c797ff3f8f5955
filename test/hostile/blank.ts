/**
 * Stands for any dependency while routes are only listed: every property and every call of it is again blank. A route
 * that does something while it is assembled would fail here, and should not do so.
 */
export const BLANK = new Proxy(() => {}, {
  get: (_target, name) => (name === Symbol.toPrimitive ? () => 'blank' : BLANK),
  apply: () => BLANK,
}) as unknown as never
