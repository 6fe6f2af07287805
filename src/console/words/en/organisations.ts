/* What belongs to contacts: organisations, groups, and fields of the tenant's own. */
export const organisations = {
  organisationsTitle: 'Organisations',
  organisationsIntro: 'The companies that your contacts belong to.',
  organisationsNone: 'There are no organisations yet. New contacts join one by the domain of their email.',
  organisationsNotFound: 'No organisation starts with this. Try fewer letters.',
  organisationsFind: 'Find organisations',
  organisationNew: 'New organisation',
  organisationEdit: 'Edit organisation',
  organisationDomain: 'Domain',
  organisationDomainHelp:
    'New contacts with an email of this domain join by themselves. Those who are there already stay where they are.',
  organisationCreate: 'Create organisation',
  organisationCreated: 'The organisation was created.',
  organisationSaved: 'The organisation was saved.',
  organisationDelete: 'Delete organisation',
  organisationDeleteQuestion: {
    one: '{name} will be gone for good. Its {count} contact stays, without an organisation.',
    other: '{name} will be gone for good. Its {count} contacts stay, without an organisation.',
  },
  organisationDeleted: 'The organisation was deleted.',
  organisationContacts: 'Contacts of this organisation',
  organisationNoContacts: 'Nobody belongs to it yet. Choose it where you edit a contact.',
  organisationTickets: 'Latest tickets',
  organisationNoTickets: 'Nobody of this organisation has asked for anything yet.',
  organisationTicketsOf: 'Of the {count} contacts who were added last.',

  // Two people at one thing
  changedMeanwhile:
    'Somebody else has changed this since you opened it. What you typed is still here: save again to keep it. What is stored now: {now}',

  groupsIntro:
    'Who gets which of your emails. A group can stand for a consent, in the words that its members agreed to.',
  groupsNone: 'There are no groups yet. A group holds contacts who belong together, those who want your news, say.',
  groupNew: 'New group',
  groupEdit: 'Edit group',
  groupWording: 'Consent wording',
  groupWordingHelp: 'What people agree to when they join, word for word. It cannot be changed once somebody has.',
  groupType: 'Kind of consent',
  groupTypeHelp: 'For your own programs, newsletter say.',
  groupFixed: {
    one: 'One contact has agreed to this wording, so it stays as it is. Make another group for another wording.',
    other:
      '{count} contacts have agreed to this wording, so it stays as it is. Make another group for another wording.',
  },
  groupHasMembers:
    'Somebody has joined meanwhile and agreed to the wording as it was. Make another group for another wording.',
  groupMembers: { one: '{count} contact in {name}', other: '{count} contacts in {name}' },
  groupCreate: 'Create group',
  groupCreated: '{name} was created.',
  groupSaved: '{name} was saved.',
  groupDelete: 'Delete group',
  groupDeleteQuestion: {
    one: '{name} will be gone for good. Its {count} contact stays; what they agreed to stays in their history.',
    other: '{name} will be gone for good. Its {count} contacts stay; what they agreed to stays in their history.',
  },
  groupDeleted: '{name} was deleted.',

  fieldsTitle: 'Fields',
  fieldsIntro: 'What you want to know of contacts besides name, email and phone.',
  fieldsNone: 'There are no custom fields yet. A field holds what else you know of contacts, their plan, say.',
  fieldNew: 'New field',
  fieldType: 'Type',
  fieldAnyType: 'Any',
  fieldTypeHelp: 'It cannot be changed later.',
  fieldNameHelp: 'Plan or Customer number, say. Values are texts, numbers or dates.',
  fieldRename: 'Rename',
  fieldTaken: 'There is a field with this name already.',
  fieldCreate: 'Create field',
  fieldCreated: '{name} was created.',
  fieldSaved: 'The field is called {name} now.',

  contactsExport: 'Export CSV',
  contactId: 'ID',
  contactUnsubscribedSince: 'Unsubscribed since',
  contactAddedFrom: 'Added from (UTC)',
  contactAddedTo: 'Until',
} as const
