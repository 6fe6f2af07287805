/* Canned replies: texts that answers are made of. */
export const cannedReplies = {
  cannedTitle: 'Canned replies',
  cannedIntro: 'Answers to what is asked again and again. Choose one beside your answer to insert it.',
  cannedOwn: 'Your own',
  cannedShared: 'For everybody',
  cannedNoOwn: 'You have none yet. Only you can use those that you write.',
  cannedNoShared: 'There are none yet. Everybody who answers tickets can use them.',
  cannedNoSharedYet: 'There are none yet. Admins write them.',
  cannedNew: 'New canned reply',
  cannedNewShared: 'New one for everybody',
  cannedName: 'Name',
  cannedNameHelp: 'You choose it by this name.',
  cannedText: 'Text',
  cannedWritten: 'Written',
  cannedAdd: 'Add canned reply',
  cannedAdded: 'The canned reply was added.',
  cannedSaved: 'The canned reply was saved.',
  cannedDelete: 'Delete canned reply',
  cannedDeleteQuestion: 'Nobody will be able to use it any more. Answers that were made with it stay as they are.',
  cannedDeleted: 'The canned reply was deleted.',
  cannedChanged:
    'Somebody else has changed it since you opened this page. What you typed is still here: compare it in another window, and save again to keep it.',
  cannedUnknown: 'There is no placeholder {unknown}. There are {known}.',

  // What is written in two pairs of braces, and what it becomes in an answer
  placeholders: 'Placeholders',
  placeholderContactName: 'The customer’s name, or else their address',
  placeholderContactFirstName: 'The customer’s first name',
  placeholderContactEmail: 'The customer’s email address',
  placeholderAgentName: 'Your name',
  placeholderTicketNumber: 'The number of the ticket, such as T-1042',
  placeholderTicketSubject: 'What the ticket is about',
  placeholderInboxName: 'The name of the inbox',

  // Beside an answer
  chooseCanned: 'Canned reply',
  noCannedChosen: 'Canned reply…',
  insertCanned: 'Insert',
  manageCanned: 'Manage replies',
  cannedChooseFirst: 'Choose a canned reply first.',
} as const
