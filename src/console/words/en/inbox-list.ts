/* The list of the inbox: searching it, views of it, and what is done with several tickets at once. */
export const inboxList = {
  searchInbox: 'Search tickets',
  ticketsNotFound: 'Nothing was found for “{text}”.',
  searchHelp:
    'Every word has to be in the subject, in a message or note, or in a name or address; of the last one the beginning is enough. A number such as T-1042 leads to its ticket.',
  ticketsNotFoundYet: 'Nothing yet. Very many messages hold these words: look through older ones, or add a word.',
  newer: 'Newer',
  unread: 'Unread',
  // How long a customer has waited for an answer: `unanswered 3 hr`
  unanswered: 'unanswered {time}',
  noInboxes: 'There is no inbox yet in which mails and chats could arrive.',
  // Said to those who may not do so
  adminsAddInboxes: 'Admins add inboxes in the settings.',
  noTicketsOpen: 'Nothing is waiting: no ticket is open.',
  closedOfLate: {
    one: '{count} ticket was closed in the last 24 hours.',
    other: '{count} tickets were closed in the last 24 hours.',
  },
  closedOfLateMany: 'More than {count} tickets were closed in the last 24 hours.',
  noTicketsPending: 'No ticket waits for its customer.',
  noTicketsClosed: 'No ticket is closed yet.',
  noTicketsSpam: 'There is no spam. Tickets that you mark as spam are kept here.',
  noTicketsMine: 'Nothing waits for you.',
  noTicketsUnassigned: 'Every open ticket is assigned to somebody.',
  noTicketsSnoozed: 'Nothing is snoozed. A snoozed ticket opens by itself on the day you chose.',
  noTicketsFit: 'No tickets match these filters.',

  sharedViews: 'Everybody’s views',
  ownViews: 'Your views',
  keepView: 'Save this view',
  viewName: 'Name of the view',
  keepForMe: 'Save for me',
  keepForAll: 'Save for everybody',
  viewSaved: 'The view was saved.',
  viewDeleted: 'The view was deleted.',
  deleteView: 'Delete “{name}”',
  deleteViewQuestion: 'Only the view is deleted, no tickets.',

  // Boxes to tick beside tickets, and what is done with those that are ticked
  bulkTitle: 'Selected tickets',
  tick: 'Select {reference}',
  tickAll: 'Select all',
  ticked: '% selected',
  closeTickets: 'Close',
  nothingTicked: 'Select at least one ticket.',
  ticketsChanged: { one: '{count} ticket was changed.', other: '{count} tickets were changed.' },
  ticketsLeft: {
    one: '{count} was not: it was merged or deleted.',
    other: '{count} were not: they were merged or deleted.',
  },
} as const
