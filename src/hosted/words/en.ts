import type { Say, Translation } from '../../words/sentences.ts'

/*
 * What hosted forms say in English. The lists of the other languages hold the same sentences, in the same order, with
 * the same places in braces; the comments are here alone. Whoever answers is addressed politely, and in short sentences.
 */
export const en = {
  // The page around the questions
  send: 'Send',
  next: 'Next',
  back: 'Back',
  // A button that closes a dialog on another site, which the form is in
  close: 'Close',
  // One page of several, above the progress bar
  pageOf: 'Page {page} of {pages}',
  // The same where each page is one question
  stepOf: 'Step {page} of {pages}',
  // Read out as answers bring in more questions below; `{question}` is the text of the first of them
  moreQuestions: {
    one: 'One more question: {question}',
    other: '{count} more questions, starting with: {question}',
  },
  // Below a question that can be answered by key: its letters and digits are shown at the answers
  stepKeys: 'Letters and digits answer, Enter goes on, Shift + Enter goes back.',
  // In place of a text that was left out
  question: 'Question {number}',
  // Read out after the text of a question that has to be answered
  required: 'required',
  clearAnswer: 'Clear answer',
  answersKept: 'We kept your answers from last time.',
  startOver: 'Start over',
  // A button that has a link mailed, to go on with the answers on another day
  goOnLater: 'Go on later',
  goOnHow: 'We mail you a link with which you can go on, on any device. What you have entered is kept.',
  sendLink: 'Send the link',
  linkSent: 'We have sent a link to {address}. You can close this page.',
  linksEnough: 'This address was sent enough links for a day. Please use the last one.',
  linkOver: 'This link does not work any more. You can begin anew here.',
  needsScript: 'This form needs JavaScript to send your answers. Please switch it on and load the page again.',
  partMissing: 'This form cannot be sent yet: a part of the page is missing.',
  loadAgain: 'Load the page again',
  // Beside a field that only programs see
  language: 'Language',
  leaveEmpty: 'Leave this empty',
  sending: 'Sending…',
  sendingIn: { one: 'One moment: sending in {count} second…', other: 'One moment: sending in {count} seconds…' },
  thankYou: 'Thank you',
  answersSent: 'Your answers have been sent to {name}.',
  // In a preview, before the address that the end leads to
  leadsTo: 'From here, people are taken to:',
  notAvailable: 'This form is not available',
  notAvailableWhy:
    'It may have been closed, or the address may not be complete. If somebody sent you the link, ask them for a new one.',

  // Choosing
  choose: 'Choose…',
  chooseExactly: { one: 'Choose {count}.', other: 'Choose {count}.' },
  chooseBetween: { one: 'Choose {min} to {count}.', other: 'Choose {min} to {count}.' },
  chooseAtLeast: { one: 'Choose at least {count}.', other: 'Choose at least {count}.' },
  chooseUpTo: { one: 'Choose up to {count}.', other: 'Choose up to {count}.' },
  yes: 'Yes',
  no: 'No',

  // Scales: the ends of a scale, `1, Disagree` of one step, `1: Disagree` below a scale
  scaleEnds: '{low} to {high}',
  stepMeaning: '{step}, {meaning}',
  endMeaning: '{step}: {meaning}',
  notAnsweredYet: 'Not answered yet, {low} to {high}',
  disagree: 'Disagree',
  agree: 'Agree',
  notLikely: 'Not at all likely',
  veryLikely: 'Extremely likely',
  // `{count}` is how many there are in all
  stars: { one: '{stars} of {count} star', other: '{stars} of {count} stars' },

  // Ranking
  rankingHint: 'Best first. Drag, or use the arrows.',
  moveUp: 'Move {option} up',
  moveDown: 'Move {option} down',
  keepOrder: 'Keep this order',
  orderKept: 'The order is kept.',
  // Read out after a move: `Price: 2 of 5`
  ranked: '{option}: {place} of {count}',

  // Text
  urlHint: 'A web address, such as example.com.',
  integerHint: 'A whole number.',
  lettersHint: 'Letters only.',

  // Contact details
  firstName: 'First name',
  lastName: 'Last name',
  company: 'Company',
  addressLine1: 'Address line 1',
  addressLine2: 'Address line 2',
  city: 'City',
  state: 'State',
  zipCode: 'ZIP code',
  country: 'Country',
  email: 'Email',
  phoneNumber: 'Phone number',

  // A range of dates
  from: 'From',
  to: 'To',

  // Files
  chooseFile: 'Choose a file or drop it here',
  // Of a slot that takes several
  chooseFiles: {
    one: 'Choose up to {count} file or drop it here',
    other: 'Choose up to {count} files or drop them here',
  },
  sizeLimit: 'Up to {size} each.',
  // On phones, a second way to add a file: opens the camera
  takePhoto: 'Take a photo',
  // Stops sending a file
  cancel: 'Cancel',
  oneFile: 'Only one file fits here. Please drop them one at a time.',
  fewerFiles: { one: 'Only {count} file fits here.', other: 'Only {count} files fit here.' },
  remove: 'Remove',
  removeFile: 'Remove {file}',
  sendingFile: 'Sending {file}',
  fileSent: '{file} has been sent.',
  fileRemoved: 'Removed.',
  fileTooLarge: '{file} is larger than {size}.',
  fileNotSent: 'The file could not be sent. Please try again.',
  fileNoConnection: 'The file could not be sent: there is no connection. Please try again.',
  tooManyFiles: 'That was a lot of files. Please wait a minute and try again.',
  fileGone: 'The file is no longer there. Please add it again.',

  // Signature
  signature: 'Signature',
  signatureHint: 'Draw with a finger or the mouse, or type your name.',
  typeName: 'Or type your name',
  erase: 'Erase',
  signatureUnreadable: 'The signature could not be read. Please sign again.',

  // Payment
  wantToPay: 'Yes, I want to pay',
  due: 'Due',
  payAfterSending: 'You pay after sending.',
  howToPay: '{name} will tell you how to pay.',
  dueAmount: 'Due: {amount}.',
  openingPayment: 'One moment: opening the payment page…',
  payToFinish: 'Please pay to finish.',
  payNow: 'Pay now',
  tryAgain: 'Try again',
  paymentThanks: 'Thank you for your payment.',
  nothingPaid: 'Nothing has been paid.',
  paymentOpen: 'A payment is still open.',
  paymentUnderWay: 'Your payment is being processed.',
  paymentReceived: 'Your payment has been received.',
  paymentUnreachable: 'The payment page could not be opened.',
  amountUnknown: 'The amount cannot be computed. Please check your answers.',

  // What is wrong with an answer
  answerThis: 'Please answer this question.',
  checkAnswer: 'Please check this answer.',
  enterNumber: 'Please enter a number.',
  enterDate: 'Please enter a whole date.',
  enterDates: 'Please enter both dates.',
  datesReversed: 'The first date must not be after the last.',
  enterEmail: 'Please enter an email address.',
  enterDetail: 'Please fill in at least one of these fields.',
  enterOther: 'Please fill in the text field, or choose something else.',
  chooseMore: { one: 'Please choose at least {count}.', other: 'Please choose at least {count}.' },
  chooseFewer: { one: 'Please choose at most {count}.', other: 'Please choose at most {count}.' },
  chooseOnScales: 'Please choose on every scale.',
  moveSliders: 'Please move every slider.',
  chooseInRows: 'Please choose in every row.',
  putInOrder: 'Please put these in order, or keep the order shown.',
  addFiles: 'Please add every file.',
  waitForFile: 'Please wait until the file has been sent.',
  sign: 'Please sign.',
  notEmail: 'This must be an email address.',
  notTelephone: 'This must be a telephone number.',
  notUrl: 'This must be a web address.',
  notInteger: 'This must be a whole number.',
  notLetters: 'This must hold letters only.',

  // What is wrong with the whole form
  answersToMend: { one: 'One answer needs your attention.', other: '{count} answers need your attention.' },
  closed: 'This form has been closed and takes no more answers.',
  closedKept:
    'This form has been closed and takes no more answers. What you entered has not been sent; it is kept on this device.',
  // In place of the form, where somebody sent the same answers from another window before
  alreadySent: 'Your answers have been sent already',
  alreadySentWhy: 'They stay as they were sent. What you entered here since then has not been sent.',
  notSent: 'Your answers could not be sent. They are kept on this device: please try again in a moment.',
  pageTooOld: 'This page is too old to be sent. Please load it again: your answers are kept.',
  answersRefused: 'The answers could not be accepted. Please check them.',
} as const

/** What hosted forms say in one language. A list that lacks a sentence does not compile. */
export type Words = Translation<typeof en>

/** Says one of these sentences. */
export type SayWords = Say<typeof en>
