/** What tokens of OAuth are for: to call with, and to get new ones by. */
export const tokenKinds = ['access', 'refresh'] as const
