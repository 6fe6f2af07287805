/* Chats with the visitors of sites. */
export const chat = {
  // After a message in a chat was taken back; it stands in the field again
  saidTakenBack: 'Taken back from the visitor’s page. Your message is below again.',
} as const
