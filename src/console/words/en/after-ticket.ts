/* What becomes of a ticket with an answer, and where one goes on from it. */
export const afterTicket = {
  // Opens the other ways to send
  sendOtherwise: 'More ways to send',
  sendAndWait: 'Send and wait for the customer',
  // Before a choice of times
  sendAndSnooze: 'Send and snooze',
  sendAndSnoozeUntil: 'Snooze until',
  sendUntilThen: 'Send and snooze until then',

  afterDoneTitle: 'Working through the inbox',
  afterDone: 'After you answer or close a ticket, show',
  afterDoneNext: 'the next ticket',
  afterDoneList: 'the list',
  afterDoneTicket: 'the same ticket',
  afterDoneSaved: 'Your choice was saved.',
} as const
