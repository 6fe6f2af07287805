import type { Translation } from '../../../words/sentences.ts'
import type { satisfaction as english } from '../en/satisfaction.ts'

export const satisfaction: Translation<typeof english> = {
  askHowItWent: 'Nach der Zufriedenheit fragen',
  askForm: 'Formular',
  askFormHelp: 'Der Kunde bekommt dessen Adresse. Was er antwortet, steht im Ticket und bewertet es.',
  askReadyMade: 'Vorgefertigt: Daumen, und warum',
  askSend: 'Formular senden',
  formWasSent: 'Das Formular wurde gesendet.',
  ticketSatisfaction: 'Zufriedenheit',
  askedNoAnswer: 'Gefragt, noch keine Antwort:',
  satisfactionOf: '{percentage} % zufrieden',
  answeredForm: 'Hat geantwortet:',
}
