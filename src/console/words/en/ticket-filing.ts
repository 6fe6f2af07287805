/* Whose a ticket is, what it is called, and where it lies. */
export const ticketFiling = {
  changeSubject: 'Change the subject',
  ticketSubject: 'Subject',
  ticketSubjectHelp: 'Answers have it from now on.',
  saveSubject: 'Save',
  subjectSaved: 'The subject was changed.',
  moveTicket: 'Move to another inbox',
  moveTicketHelp: 'Answers come from its address from now on. Mail to the earlier inbox still finds the ticket.',
  ticketMoved: 'The ticket was moved.',
  changeCustomer: 'Change the customer',
  // A contact, by how their name or address begins, or any address
  customerSearch: 'Name or email address',
  customerFind: 'Find',
  customerHelp:
    'Answers go to the new customer alone from now on. Messages so far stay as they are. The ticket leaves the history of the earlier customer and joins that of the new one.',
  customersFound: 'Contacts found',
  customersNone: 'No contact begins like that. Type an email address to add somebody new.',
  customerNoAddress: 'No email address',
  // In place of the name of somebody who is no contact yet
  customerNew: 'New contact',
  customerNeeded: 'Choose a contact, or type an email address.',
  customerChanged: 'The customer is now {name}.',
  // Above a message: who sent it, and how its customer was found
  forwardedBy: 'Forwarded by {name}; the customer was taken from the forwarded mail',
  sentByForm: 'Sent by a form, from {address}; the customer was taken from Reply-To',
  // Leads to where the customer is chosen
  changeOrigin: 'Change',
} as const
