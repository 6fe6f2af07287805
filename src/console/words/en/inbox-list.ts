/* The list of the inbox: searching it, views of it, and what is done with several tickets at once. */
export const inboxList = {
  searchInbox: 'Search tickets',
  ticketsNotFound: 'Nothing was found for “{text}”.',
  searchHelp:
    'Every word has to be in the subject, in a message or note, or in a name or address; of the last one the beginning is enough. A number such as T-1042 leads to its ticket.',
  ticketsNotFoundYet: 'Nothing yet. Very many messages hold these words: look through older ones, or add a word.',
} as const
