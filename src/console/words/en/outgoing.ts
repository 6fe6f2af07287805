/* Mails that agents begin: new conversations. */
export const outgoing = {
  newConversation: 'New conversation',
  // Before the inbox that a mail is sent from
  mailFrom: 'From',
  mailSubject: 'Subject',
  yourMessage: 'Your message',
  messageWaits: 'Your message goes out in a moment. Until then you can take it back.',
  messageTakenBack: 'Nothing was sent. Your message is here again.',
  keyNew: 'New conversation',
} as const
