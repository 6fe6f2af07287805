/* What has gone wrong in the inbox, and what rows of its list say before their excerpts. */
export const attention = {
  attentionTitle: 'Needs attention',
  // Before a count
  attentionUnsent: 'Not sent',
  attentionQuarantine: 'Quarantined mail',
  attentionMailboxes: 'Mailboxes not reached',
  answersFilter: 'Answers',
  anyAnswers: 'Any answers',
  noTicketsUnsent: 'Every answer has arrived.',
  unsentWhy: 'An answer in this ticket has not arrived.',
  dismissUnsent: 'Dismiss',
  unsentDismissed: 'Dismissed: the ticket is no longer listed as not sent.',
  // Before the beginning of a note
  noteSays: 'Note:',

  // The newest of what a customer answered in forms, and how they rated there
  earlierResponses: 'Responses',
  ratingNps: 'NPS {points}',
  ratingStars: '{points} of {most} stars',
  ratingScore: 'Score {percentage}%',

  // A picture of a message, large
  pictureViewer: 'Picture',
  previousPicture: 'Previous picture',
  nextPicture: 'Next picture',
  closePicture: 'Close',
  backToTicket: 'Back to the ticket',
} as const
