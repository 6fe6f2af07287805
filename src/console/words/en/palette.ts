/* The palette: finds whatever one goes to or does by a few letters. */
export const palette = {
  find: 'Find',
  findTitle: 'Find anything',
  findField: 'Tickets, people, pages and actions',
  findHelp: 'A few letters of a ticket, a person, an organisation, a form, an article or a page.',
  findNothing: 'Nothing found.',
  // % is a number
  findCount: 'Found: %',
  // Above what was found
  findUsed: 'Used lately',
  findActions: 'On this page',
  findPages: 'Pages',
  findTickets: 'Tickets',
  findContacts: 'Contacts',
  findOrganisations: 'Organisations',
  findForms: 'Forms',
  findArticles: 'Articles',
} as const
