import type { AlertKind } from '../../../kinds/alerts.ts'

/** Who did something to which ticket, as a mail says it; `by` and `customer` where they have names. */
export interface Happened {
  readonly by: string | null
  readonly customer: string | null
}

/** What stands in a mail to somebody about their alerts, and in the notes that their answers become. */
export interface AlertWords {
  readonly happened: Readonly<Record<AlertKind, (what: Happened) => string>>
  /** Above everything: what is written above it is the answer. */
  readonly answerAbove: string
  readonly wrote: (name: string) => string
  readonly open: string
  readonly subjectOfList: (count: number) => string
  readonly introOfList: (count: number) => string
  readonly more: (count: number) => string
  readonly openInbox: string
  readonly choose: string
  /** Notes. */
  readonly notSent: (name: string, why: string) => string
  readonly stranger: (address: string) => string
  readonly unproven: (address: string) => string
  readonly expired: (address: string) => string
  readonly merged: string
  readonly noText: string
}

const en: AlertWords = {
  happened: {
    assigned: ({ by }) => (by ? `${by} assigned a ticket to you` : 'A ticket was assigned to you'),
    answered: ({ customer }) => `${customer ?? 'The customer'} wrote on a ticket of yours`,
    mentioned: ({ by }) => (by ? `${by} mentioned you in a note` : 'You were mentioned in a note'),
    new_in_team: ({ by }) => (by ? `${by} gave a ticket to your team` : 'A ticket came to your team'),
  },
  answerAbove: 'Write above this line to answer the customer. Begin with “note:” to leave an internal note.',
  wrote: (name) => `${name} wrote:`,
  open: 'Open the ticket',
  subjectOfList: (count) => `${count} tickets need your attention`,
  introOfList: (count) => `${count} tickets have news for you:`,
  more: (count) => `… and ${count} more.`,
  openInbox: 'Open the inbox',
  choose: 'Choose which alerts you get',
  notSent: (name, why) => `${name} answered by email, and this did not go to the customer: ${why}`,
  stranger: (address) =>
    `This email answers an alert that was sent to somebody else. It came from ${address} and did not go to the customer.`,
  unproven: (address) =>
    `This email says it is from ${address}, which the sender’s domain denies (DMARC). It did not go to the customer.`,
  expired: (address) =>
    `This email from ${address} answers an alert that can no longer be answered by email. It did not go to the customer.`,
  merged: 'the ticket has been merged into another since.',
  noText: 'no text was found above the quoted alert.',
}

const de: AlertWords = {
  happened: {
    assigned: ({ by }) => (by ? `${by} hat Ihnen ein Ticket zugewiesen` : 'Ihnen wurde ein Ticket zugewiesen'),
    answered: ({ customer }) => `${customer ?? 'Der Kunde'} hat in einem Ihrer Tickets geschrieben`,
    mentioned: ({ by }) => (by ? `${by} hat Sie in einer Notiz erwähnt` : 'Sie wurden in einer Notiz erwähnt'),
    new_in_team: ({ by }) => (by ? `${by} hat Ihrem Team ein Ticket gegeben` : 'Ihr Team hat ein neues Ticket'),
  },
  answerAbove: 'Schreiben Sie über diese Zeile, um zu antworten. Beginnen Sie mit „note:“ für eine interne Notiz.',
  wrote: (name) => `${name} schrieb:`,
  open: 'Ticket öffnen',
  subjectOfList: (count) => `${count} Tickets brauchen Ihre Aufmerksamkeit`,
  introOfList: (count) => `In ${count} Tickets gibt es Neues für Sie:`,
  more: (count) => `… und ${count} weitere.`,
  openInbox: 'Posteingang öffnen',
  choose: 'Benachrichtigungen einstellen',
  notSent: (name, why) => `${name} hat per E-Mail geantwortet; das ging nicht an den Kunden: ${why}`,
  stranger: (address) =>
    `Diese E-Mail beantwortet eine Benachrichtigung, die jemand anderes bekam. Sie kam von ${address} und ging nicht an den Kunden.`,
  unproven: (address) =>
    `Diese E-Mail gibt sich als von ${address} aus, was die Domain des Absenders bestreitet (DMARC). Sie ging nicht an den Kunden.`,
  expired: (address) =>
    `Diese E-Mail von ${address} beantwortet eine Benachrichtigung, auf die man nicht mehr per E-Mail antworten kann. Sie ging nicht an den Kunden.`,
  merged: 'Das Ticket wurde inzwischen mit einem anderen zusammengeführt.',
  noText: 'Über der zitierten Benachrichtigung stand kein Text.',
}

/** The words of a language (BCP 47): `de-AT` gets German, one that is not here English. */
export function alertWordsOf(language: string): AlertWords {
  return new Intl.Locale(language).language === 'de' ? de : en
}

/** Around the line above which an answer is written. */
export const MARKS = ['##-', '-##'] as const
