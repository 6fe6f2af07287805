/* Asking customers how content they were. */
export const satisfaction = {
  // In the menu of a ticket
  askHowItWent: 'Ask how it went',
  askForm: 'Form',
  askFormHelp: 'The customer gets its address. What they answer stands in the ticket and rates it.',
  // In place of the title of a form that is made when it is sent for the first time
  askReadyMade: 'Ready-made: thumbs, and why',
  askSend: 'Send the form',
  // After a form went into a chat
  formWasSent: 'The form was sent.',
  ticketSatisfaction: 'Satisfaction',
  // Before how long ago that was
  askedNoAnswer: 'Asked, not answered yet:',
  satisfactionOf: '{percentage}% satisfied',
  // Before the title of a form
  answeredForm: 'Answered',
} as const
