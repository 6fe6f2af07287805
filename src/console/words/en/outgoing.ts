/* Mails that agents begin: new conversations, and what they forward. */
export const outgoing = {
  newConversation: 'New conversation',
  // Before the inbox that a mail is sent from
  mailFrom: 'From',
  mailSubject: 'Subject',
  yourMessage: 'Your message',
  messageWaits: 'Your message goes out in a moment. Until then you can take it back.',
  messageTakenBack: 'Nothing was sent. Your message is here again.',
  keyNew: 'New conversation',
  // The action at a message, and the title of its page
  forwardMessage: 'Forward',
  answerOutside: 'Answer or forward',
  sendForward: 'Forward',
  yourWords: 'Your words',
  filesOfForwarded: 'Files of the message that go with it',
  forwardedMessage: 'Forwarded message',
  backToTicket: 'Back to the ticket',
  forwardWaits: 'The message is forwarded in a moment. Until then you can take it back.',
  messageForwarded: 'Forwarded',
  // Before addresses
  forwardedTo: 'Forwarded to',
  forwardsTo: 'Forward to',
  // {name} is who wrote it
  forwardedMessageOf: 'message from {name}',
  forwardedIsGone: 'message deleted since',
  fromOutside: 'From outside the conversation',
  keyForward: 'Forward a message',
  outsideWroteSince:
    '{name} wrote {when} from outside the conversation. Nothing was sent: read it above, then send your answer anyway, or change it.',
  colleagueForwardedSince:
    '{name} forwarded a message {when}. Nothing was sent: look above, then send your answer anyway, or change it.',
} as const
