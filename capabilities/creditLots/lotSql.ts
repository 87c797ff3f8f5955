/** Expressions about a row of credit_lots.lots. */

/** What expiries of a lot have booked so far: with the lot it names the next one. */
export const BOOKED = 'expired_micros + owed_micros + given_back_micros'

/** Whether a share of the lot, which the query calls `lot`, was granted again. */
export const HAS_ROLLED_OVER = 'exists (select from credit_lots.lots where lot_id = lot.rollover_id::text)'

/** What still rolls over of it: its share of what is left, unless it has rolled over before. */
export const KEPT = `case when ${HAS_ROLLED_OVER} then 0
  else div(left_micros * coalesce((rollover ->> 'share')::numeric, 0), 1000000) end`
