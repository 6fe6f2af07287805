/* Chats with the visitors of sites. */
export const chat = {
  // After a message in a chat was taken back; it stands in the field again
  saidTakenBack: 'Taken back from the visitor’s page. Your message is below again.',
  // Where nobody knows their name
  visitor: 'Visitor',
  visitorOn: 'Visitor on {page}',
  // Now, followed by for how long
  visitorIsOn: 'On {page}',
  visitorIsHere: 'Here now',
  // {when}: 2 minutes ago
  visitorLeftMail: 'Left {when}: your answer goes by mail',
  visitorLeft: 'Left {when}, no address: your answer waits for their return',
  visitorAwayMail: 'Not here: your answer goes by mail',
  visitorAway: 'Not here, no address: your answer waits for their return',
  // The visitor has read an answer; followed by the time
  visitorRead: 'Read',
} as const
