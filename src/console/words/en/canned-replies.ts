/* Canned replies: texts that answers are made of. */
export const cannedReplies = {
  cannedTitle: 'Canned replies',
  cannedIntro: 'Texts for what is asked again and again. Beside an answer they are chosen and put into it.',
  cannedOwn: 'Your own',
  cannedShared: 'For everybody',
  cannedNoOwn: 'You have none yet. Only you can use those that you write.',
  cannedNoShared: 'There are none yet. Everybody who answers tickets can use them.',
  cannedNoSharedYet: 'There are none yet. Admins write them.',
  cannedNew: 'New canned reply',
  cannedNewShared: 'New one for everybody',
  cannedName: 'What it is for',
  cannedNameHelp: 'You choose it by this.',
  cannedText: 'Text',
  cannedWritten: 'Written',
  cannedAdd: 'Add it',
  cannedAdded: 'The canned reply was added.',
  cannedSaved: 'The canned reply was saved.',
  cannedDelete: 'Delete it',
  cannedDeleteQuestion: 'Nobody can use it any more. Answers that were made of it stay as they are.',
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
  noCannedChosen: 'Choose one',
  insertCanned: 'Put in',
  manageCanned: 'Manage them',
  cannedChooseFirst: 'Choose a canned reply first.',
} as const
