import type { Translation } from '../../../words/sentences.ts'
import type { organisations as english } from '../en/organisations.ts'

export const organisations: Translation<typeof english> = {
  organisationsTitle: 'Organisationen',
  organisationsIntro: 'Die Firmen, zu denen Ihre Kontakte gehören.',
  organisationsNone:
    'Es gibt noch keine Organisationen. Neue Kontakte kommen über die Domain ihrer E-Mail-Adresse dazu.',
  organisationsNotFound: 'Keine Organisation beginnt so. Versuchen Sie es mit weniger Buchstaben.',
  organisationsFind: 'Organisationen finden',
  organisationNew: 'Neue Organisation',
  organisationEdit: 'Organisation bearbeiten',
  organisationDomain: 'Domain',
  organisationDomainHelp:
    'Neue Kontakte mit einer E-Mail-Adresse dieser Domain kommen von selbst dazu. Wer schon da ist, bleibt, wo er ist.',
  organisationCreate: 'Organisation anlegen',
  organisationCreated: 'Die Organisation wurde angelegt.',
  organisationSaved: 'Die Organisation wurde gespeichert.',
  organisationDelete: 'Organisation löschen',
  organisationDeleteQuestion: {
    one: '{name} wird endgültig gelöscht. Der eine Kontakt bleibt, ohne Organisation.',
    other: '{name} wird endgültig gelöscht. Die {count} Kontakte bleiben, ohne Organisation.',
  },
  organisationDeleted: 'Die Organisation wurde gelöscht.',
  organisationContacts: 'Kontakte dieser Organisation',
  organisationNoContacts: 'Noch gehört niemand dazu. Wählen Sie sie aus, wenn Sie einen Kontakt bearbeiten.',
  organisationTickets: 'Neueste Tickets',
  organisationNoTickets: 'Aus dieser Organisation hat noch niemand etwas gefragt.',
  organisationTicketsOf: 'Von den {count} zuletzt angelegten Kontakten.',

  changedMeanwhile:
    'Jemand anders hat das geändert, seit Sie es geöffnet haben. Was Sie eingegeben haben, steht noch hier: Speichern Sie noch einmal, um es zu behalten. Gespeichert ist jetzt: {now}',

  groupsIntro:
    'Wer welche Ihrer E-Mails bekommt. Eine Gruppe kann für eine Einwilligung stehen, mit dem Wortlaut, dem ihre Mitglieder zugestimmt haben.',
  groupsNone:
    'Es gibt noch keine Gruppen. Eine Gruppe hält Kontakte zusammen, etwa alle, die Neuigkeiten bekommen möchten.',
  groupNew: 'Neue Gruppe',
  groupEdit: 'Gruppe bearbeiten',
  groupWording: 'Wortlaut der Einwilligung',
  groupWordingHelp:
    'Dem stimmen alle, die dazukommen, Wort für Wort zu. Er lässt sich nicht mehr ändern, sobald jemand zugestimmt hat.',
  groupType: 'Art der Einwilligung',
  groupTypeHelp: 'Für Ihre eigenen Programme, zum Beispiel newsletter.',
  groupFixed: {
    one: 'Ein Kontakt hat diesem Wortlaut zugestimmt, darum bleibt er, wie er ist. Legen Sie für einen anderen Wortlaut eine andere Gruppe an.',
    other:
      '{count} Kontakte haben diesem Wortlaut zugestimmt, darum bleibt er, wie er ist. Legen Sie für einen anderen Wortlaut eine andere Gruppe an.',
  },
  groupHasMembers:
    'Inzwischen ist jemand dazugekommen und hat dem bisherigen Wortlaut zugestimmt. Legen Sie für einen anderen Wortlaut eine andere Gruppe an.',
  groupMembers: { one: '{count} Kontakt in {name}', other: '{count} Kontakte in {name}' },
  groupCreate: 'Gruppe anlegen',
  groupCreated: '{name} wurde angelegt.',
  groupSaved: '{name} wurde gespeichert.',
  groupDelete: 'Gruppe löschen',
  groupDeleteQuestion: {
    one: '{name} wird endgültig gelöscht. Der eine Kontakt bleibt; womit er einverstanden war, bleibt in seinem Verlauf.',
    other:
      '{name} wird endgültig gelöscht. Die {count} Kontakte bleiben; womit sie einverstanden waren, bleibt in ihrem Verlauf.',
  },
  groupDeleted: '{name} wurde gelöscht.',

  fieldsTitle: 'Felder',
  fieldsIntro: 'Was Sie außer Name, E-Mail und Telefon über Kontakte wissen möchten.',
  fieldsNone:
    'Es gibt noch keine weiteren Felder. In einem Feld steht, was Sie sonst noch von Kontakten wissen, etwa ihr Tarif.',
  fieldNew: 'Neues Feld',
  fieldType: 'Art',
  fieldAnyType: 'Beliebig',
  fieldTypeHelp: 'Sie kann später nicht geändert werden.',
  fieldNameHelp: 'Zum Beispiel Tarif oder Kundennummer. Werte sind Texte, Zahlen oder Tage.',
  fieldRename: 'Umbenennen',
  fieldTaken: 'Ein Feld mit diesem Namen gibt es schon.',
  fieldCreate: 'Feld anlegen',
  fieldCreated: '{name} wurde angelegt.',
  fieldSaved: 'Das Feld heißt jetzt {name}.',

  contactsExport: 'CSV exportieren',
  contactId: 'ID',
  contactUnsubscribedSince: 'Abgemeldet seit',
  contactAddedFrom: 'Angelegt ab (UTC)',
  contactAddedTo: 'Bis',
}
