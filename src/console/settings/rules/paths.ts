export const RULES = '/console/settings/rules'

/** The page of one rule. */
export const rulePath = (id: string) => `${RULES}/${id}`
