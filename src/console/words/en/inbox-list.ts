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
  noTicketsOpen: 'All done: no ticket is open.',
  noTicketsMine: 'Nothing waits for you.',
  noTicketsUnassigned: 'Every open ticket has somebody who looks after it.',
  noTicketsSnoozed: 'Nothing is snoozed. A snoozed ticket opens by itself on the day you chose.',
  noTicketsFit: 'No ticket fits these filters.',

  sharedViews: 'Everybody’s views',
  ownViews: 'Your views',
  keepView: 'Keep this view',
  viewName: 'Name of the view',
  keepForMe: 'Keep for me',
  keepForAll: 'Keep for everybody',
  viewSaved: 'The view was kept.',
  viewDeleted: 'The view was deleted.',
  deleteView: 'Delete “{name}”',
  deleteViewQuestion: 'Only the view goes. No ticket does.',

  // Boxes to tick beside tickets, and what is done with those that are ticked
  bulkTitle: 'With the ticked tickets',
  tick: 'Tick {reference}',
  tickAll: 'Tick all',
  ticked: '% ticked',
  closeTickets: 'Close',
  nothingTicked: 'Tick the tickets that you mean.',
  ticketsChanged: { one: '{count} ticket was changed.', other: '{count} tickets were changed.' },
  ticketsLeft: {
    one: '{count} was not: it was merged or deleted.',
    other: '{count} were not: they were merged or deleted.',
  },
} as const
