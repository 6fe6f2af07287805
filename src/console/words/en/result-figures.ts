/* Results: which responses, compared with which, and where people stopped. */
export const resultFigures = {
  chosenAnswer: 'With the answer',
  chosenAnswers: 'Only responses with these answers',
  // Reads out what a button with a cross does
  chosenDrop: 'Remove the filter: {filter}',
  chosenEmail: 'From the contact (email)',
  chosenGroup: 'From the group',
  chosenLanguage: 'In the language',
  chosenAtLeast: 'at least {value}',
  // Of a ranking: what was put first
  chosenFirst: '{answer} first',
  chosenRange: 'Only numbers in a range',
  chosenLeast: 'At least',
  chosenMost: 'At most',
  chosenCompleteOnly:
    'Only complete responses can be narrowed down by date, answer, contact or language. These are all.',

  compareWith: 'Compare with',
  compareNothing: 'nothing',
  compareBefore: 'the days before',
  compareYear: 'a year before',
  compareDates: 'other days',
  compareFrom: 'Compare from',
  compareTo: 'until',
  compareNeedsPeriod:
    'To compare, say from which day on the responses are to be counted, or which other days to compare with.',
  // Followed by two dates
  compareDays: 'Compared with',
  compareFigures: 'Comparison: {name}',
  compareFigure: 'Figure',
  compareNow: 'Period',
  compareThen: 'Compared with',
  compareDifference: 'Difference',
  // A difference of percentages, with its sign
  comparePoints: '{points} points',
  compareAnswered: 'Answered',
  compareLeast: 'Least',
  compareMost: 'Most',

  dropOff: 'How far people got',
  dropOffBegun: 'Begun',
  dropOffRate: 'Completed',
  dropOffPage: 'Page',
  dropOffShare: 'Of all who began',
  dropOffReached: 'Reached it',
  dropOffLeft: 'Stopped there',
  dropOffPassed: 'Not shown it',
  dropOffEnd: 'Completed',
  dropOffRoutes: 'Ways through the form',
  // The pages that people saw, by their numbers
  dropOffRoute: 'Pages',
  dropOffOutcome: 'Then',
  dropOffStopped: 'Stopped on page {number}',
  dropOffOther: { one: '{count} other way', other: '{count} other ways' },
  dropOffNote:
    'A response is stored once its first page was sent. Unfinished ones are deleted after a while, which the settings say.',
  // Followed by a date
  dropOffSince: 'Counted are those begun since',

  answersSearch: 'Search in the answers',
  answersSearchIn: 'Search in the answers to {question}',
  answersFind: 'Find',
  answersOn: 'Search older ones',
  answersNotYet: 'Nothing was found in the newest responses. Older ones have not been looked at yet.',
} as const
