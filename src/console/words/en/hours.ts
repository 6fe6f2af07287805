/* Working hours, and what is promised within them. */
export const hours = {
  settingsHours: 'Working hours',
  hoursIntro: 'When people are there to answer: for live chats, automatic answers, rules and due times.',
  hoursCompany: 'The company’s hours',
  hoursInboxes: 'Inboxes',
  hoursNoInboxes: 'There are no inboxes yet.',
  hoursFollow: 'As the company',
  hoursNever: 'Never',
  hoursOf: 'Working hours of {inbox}',
  hoursFollowing: 'This inbox follows the company’s hours. What you save here holds for it alone.',
  hoursZone: 'Time zone',
  hoursZoneHelp: 'Such as Europe/Berlin. Summer time is taken care of.',
  hoursWeek: 'Week',
  hoursWeekHelp:
    'Times such as 09:00-12:00, 12:30-17:00. A night may pass midnight, 22:00-06:00; a whole day is 00:00-24:00. Empty: nobody is there.',
  hoursClosed: 'Nobody is there',
  daysOff: 'Days off',
  daysOffHelp: 'A line for each: 2026-12-25 Christmas.',
  daysOffFile: 'Days off from a file',
  daysOffFileHelp:
    'Calendars of public holidays can be had as ICS files. Whole days of the next five years are added to those above.',
  daysOffFileLabel: 'ICS file',
  daysOffTake: 'Add days off',
  daysOffTaken: {
    one: '{count} day off was added.',
    other: '{count} days off were added.',
  },
  hoursClear: 'Be there always',
  hoursClearAsk: 'The hours and days off above are gone then. Inboxes that have hours of their own keep them.',
  hoursFollowAgain: 'Follow the company’s hours',
  hoursFollowAsk: 'The hours and days off of this inbox are gone then.',
} as const
