import type { Translation } from '../../words/sentences.ts'

/*
 * What the chat says in English. The lists of the other languages hold the same sentences, in the same order, with the
 * same places in braces; the comments are here alone. Visitors are addressed politely, and in short sentences.
 */
export const en = {
  // What the whole is called, read out
  chat: 'Chat',
  openChat: 'Open chat',
  closeChat: 'Close chat',
  newMessages: { one: '{count} new message', other: '{count} new messages' },
  needsScript: 'The chat needs JavaScript. Please switch it on and load the page again.',
  notAvailable: 'This chat is not available',
  notAvailableWhy: 'It may have been taken down, or the address may not be complete.',

  // Whether somebody is there, below the name
  here: 'We are here',
  away: 'We are away at the moment',
  greeting: 'Hello! How can we help?',
  awayGreeting: 'Leave us a message, and your email address for the answer.',

  // The list
  conversations: 'Your conversations',
  backToList: 'All conversations',
  newConversation: 'New conversation',
  closedLabel: 'Closed',
  noMessages: 'No messages yet',

  // One conversation
  conversation: 'Conversation',
  you: 'You',
  yourMessage: 'Your message',
  writeMessage: 'Write a message…',
  send: 'Send',
  sending: 'Sending…',
  sent: 'Sent',
  notSent: 'Not sent',
  tryAgain: 'Try again',
  typing: '{name} is writing…',
  noConnection: 'There is no connection. We keep trying.',
  tooMany: 'That was a lot at once. It goes on in a minute.',
  refused: 'This message could not be accepted',
  gone: 'This conversation is no longer there. Write to begin a new one.',
  closed: 'This conversation has been closed. Write again to take it up.',
  charactersLeft: { one: '{count} character left', other: '{count} characters left' },
  charactersOver: { one: '{count} character too many', other: '{count} characters too many' },
  // A button below which new messages have come
  goToNewest: 'Go to the newest message',
  // In place of a picture in a message, when it has no text of its own
  picture: 'Picture',

  // Files that go with a message
  attachFiles: 'Attach files',
  removeFile: 'Remove {file}',
  // Read out
  fileAttached: '{file} is attached.',
  mostFiles: 'At most {count} files fit into one message.',
  fileTooLarge: '{file} is larger than {size}.',
  tooManyFiles: 'That was a lot of files. Please wait a minute and try again.',

  // Name and email
  leaveEmail: 'Where can we reach you if you leave? We send our answer there, too.',
  name: 'Name',
  email: 'Email',
  optional: 'optional',
  save: 'Save',
  notNow: 'Not now',
  notEmail: 'This must be an email address.',
  answersGoTo: 'Our answers also go to {email}.',
  notSaved: 'This could not be saved. Please try again.',

  // Articles that answer a question
  searching: 'Looking for an answer…',
  articlesFound: 'These articles may help',
  // Above an answer that a language model wrote
  writtenAutomatically: 'Written automatically from our articles',
  sources: 'From',
  newTab: 'opens in a new tab',
  didItHelp: 'Did that not answer it?',
  talkToPerson: 'Talk to a person',
} as const

/** What the chat says in one language. A list that lacks a sentence does not compile. */
export type ChatWords = Translation<typeof en>
