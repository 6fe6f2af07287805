import type { Translation } from '../../../words/sentences.ts'
import type { ticketFiling as english } from '../en/ticket-filing.ts'

export const ticketFiling: Translation<typeof english> = {
  changeSubject: 'Betreff ändern',
  ticketSubject: 'Betreff',
  ticketSubjectHelp: 'Antworten tragen ihn von jetzt an.',
  saveSubject: 'Speichern',
  subjectSaved: 'Der Betreff wurde geändert.',
  moveTicket: 'In einen anderen Posteingang verschieben',
  moveTicketHelp:
    'Antworten kommen von jetzt an von dessen Adresse. E-Mails an den bisherigen Posteingang finden das Ticket weiterhin.',
  ticketMoved: 'Das Ticket wurde verschoben.',
  changeCustomer: 'Kunden ändern',
  customerSearch: 'Name oder E-Mail-Adresse',
  customerFind: 'Suchen',
  customerHelp:
    'Antworten gehen von jetzt an nur an den neuen Kunden. Bisherige Nachrichten bleiben, wie sie sind. Das Ticket verlässt den Verlauf des bisherigen Kunden und kommt in den des neuen.',
  customersFound: 'Gefundene Kontakte',
  customersNone: 'Kein Kontakt beginnt so. Geben Sie eine E-Mail-Adresse ein, um jemand Neues anzulegen.',
  customerNoAddress: 'Keine E-Mail-Adresse',
  customerNew: 'Neuer Kontakt',
  customerNeeded: 'Wählen Sie einen Kontakt, oder geben Sie eine E-Mail-Adresse ein.',
  customerChanged: 'Der Kunde ist jetzt {name}.',
  forwardedBy: 'Weitergeleitet von {name}; der Kunde stammt aus der weitergeleiteten E-Mail',
  sentByForm: 'Von einem Formular gesendet, von {address}; der Kunde stammt aus Reply-To',
  changeOrigin: 'Ändern',
}
