/** What an event is about: its facts are those of this record, and of the contact behind it. */
export const subjects = ['ticket', 'response', 'contact'] as const
export type Subject = (typeof subjects)[number]
