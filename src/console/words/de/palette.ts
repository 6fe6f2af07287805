import type { Translation } from '../../../words/sentences.ts'
import type { palette as english } from '../en/palette.ts'

export const palette: Translation<typeof english> = {
  find: 'Finden',
  findTitle: 'Alles finden',
  findField: 'Tickets, Menschen, Seiten und Aktionen',
  findHelp:
    'Ein paar Buchstaben eines Tickets, eines Menschen, einer Organisation, eines Formulars, Artikels oder einer Seite.',
  findNothing: 'Nichts gefunden.',
  findCount: 'Gefunden: %',
  findUsed: 'Zuletzt benutzt',
  findActions: 'Auf dieser Seite',
  findPages: 'Seiten',
  findTickets: 'Tickets',
  findContacts: 'Kontakte',
  findOrganisations: 'Organisationen',
  findForms: 'Formulare',
  findArticles: 'Artikel',
}
