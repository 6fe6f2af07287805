/** Where somebody goes on from a ticket that they are done with: to the next one, to the list, or nowhere (decisions §20). */
export const afterDone = ['next', 'list', 'ticket'] as const
export type AfterDone = (typeof afterDone)[number]
