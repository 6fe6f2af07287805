/* The desk: list and ticket beside each other, and what applies at once. */
export const desk = {
  more: 'More',
  // Before an own answer in the list
  youWrote: 'You:',
  anyTeam: 'Any team',
  ticketTag: 'Tag',
  anyTag: 'Any tag',
  details: 'Details',
  answerOrNote: 'Answer or note',
  // Shows who a mail was from and to
  addressesOfMail: 'Addresses',
  // Before addresses
  mailCc: 'Cc',
  mailBcc: 'Bcc',
  snoozeLater: 'In 3 hours',
  snoozeTime: 'At a time',
  snoozeUntilThen: 'Snooze until then',
  visitorTypes: 'The visitor is typing…',
  undone: 'Undone.',
  deskLost: 'The connection was lost, and nothing was sent. Try again.',
  chooseTicket: 'Choose a ticket to read it here.',
  findPerson: 'Find a person or team',
  addThem: 'Add',
  removeTag: 'Take the tag {name} away',
  mergeTwo: 'Merge two tickets',
  mergeTwoOnly: 'Select the two tickets that are to be one.',
  addTags: 'Add tags',
} as const
