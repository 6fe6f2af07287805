export const chat = {
  saidTakenBack: 'Von der Seite des Besuchers zurückgenommen. Ihre Nachricht steht wieder unten.',
  visitor: 'Besucher',
  visitorOn: 'Besucher auf {page}',
  visitorIsOn: 'Auf {page}',
  visitorIsHere: 'Jetzt da',
  visitorLeftMail: 'Weg ({when}): Ihre Antwort geht per E-Mail',
  visitorLeft: 'Weg ({when}), keine Adresse: Ihre Antwort wartet, bis er wiederkommt',
  visitorAwayMail: 'Nicht da: Ihre Antwort geht per E-Mail',
  visitorAway: 'Nicht da, keine Adresse: Ihre Antwort wartet, bis er wiederkommt',
  visitorRead: 'Gelesen',
} as const
