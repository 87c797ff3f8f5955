/** Steps of one lane run in the order in which they were scheduled. */
export type Lane = { lastMs: number }
