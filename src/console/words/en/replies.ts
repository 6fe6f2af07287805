/* Writing an answer: what it is written with, who gets it, and taking it back. */
export const replies = {
  // {time} is a length of time such as "9 seconds"
  answerGoesOut: 'Goes out in {time}.',
  answerIsPending: 'Goes out soon',
  answerWaits: 'Your answer goes out in a moment. Until then you can take it back.',
  takeBack: 'Undo',
  answerTakenBack: 'Nothing was sent. Your answer is below again.',

  // Of the field; addresses are given with commas between them
  answerTo: 'To',
  answerToNobody: 'Say who gets the answer.',
  changeRecipients: 'Change',
  removeAddress: 'Take {address} out',
  copiesHelp: 'Several addresses with commas between them.',
  blindCopiesHelp: 'Nobody else who gets this sees these addresses.',
  copyWrong: '“{address}” is not an email address.',
  answerFiles: 'Files',
  answerFilesHelp: 'At most {size} together.',
  answerFilesTooLarge: 'These files are too large for one mail: at most {size} together. None was added.',
  answerFilesTooMany: 'These are too many files for one mail. None was added.',
  answerFilesNot: 'Files can be sent by mail and in chats alone.',
  filesKept: 'Files that go with it',
  filesAreKept: 'Saving the files…',
  removeFile: 'Remove {name}',
  draftKept: 'What you have written is kept.',
  fileRemoved: 'The file was removed.',
  draftIsNotKept: 'Not saved: this computer alone keeps what you write until the connection is back.',

  // Somebody else has written since the page was shown. {when} is a time such as "2 minutes ago"
  customerWroteSince:
    '{name} wrote {when}. Nothing was sent: read it above, then send your answer anyway, or change it.',
  colleagueAnsweredSince:
    '{name} answered {when}. Nothing was sent: read it above, then send your answer anyway, or change it.',
  colleagueNotedSince:
    '{name} left a note {when}. Nothing was sent: read it above, then send your answer anyway, or change it.',
  // Who else is at the ticket: one, or several
  otherWrites: '{names} is writing an answer.',
  othersWrite: '{names} are writing answers.',
  otherLooks: '{names} is looking at this ticket, too.',
  othersLook: '{names} are looking at this ticket, too.',
  // Above the tickets of the inbox
  listHasChanged: 'There is something new in this list.',
  somebody: 'Somebody',
  sendAnyway: 'Send anyway',

  // Buttons above the answer
  editorTools: 'Formatting',
  editorBold: 'Bold',
  editorItalic: 'Italic',
  editorHeading: 'Heading',
  editorSubheading: 'Subheading',
  editorCode: 'Code',
  editorLink: 'Link',
  editorBullets: 'Bulleted list',
  editorNumbers: 'Numbered list',
  editorQuote: 'Quote',
  editorPlain: 'Remove formatting',
  linkAddress: 'Address of the link',
  linkSet: 'Set link',
  linkRemove: 'Remove link',
  linkWrong: 'An address begins with https://, http:// or mailto:',
} as const
