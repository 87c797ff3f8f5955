import type { PersonalData } from '../../../capabilities/personalData/personalData.ts'

/** For events that have no personal fields, and stores without a database beside them. */
export const NOTHING_PERSONAL: Pick<PersonalData, 'protect'> = { protect: async (event) => event }
