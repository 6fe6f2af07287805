/* What stands around every page of the console, and what its components say. Whoever reads it works with it all day: short and plain. */
export const shell = {
  // Before the title of the window: `Keys · Acme · frontdesk`
  windowTitle: '{title} · {tenant} · frontdesk',
  skip: 'Skip to the content',
  // Names of landmarks and of the menu on phones
  navigation: 'Pages',
  bar: 'Most used',
  menu: 'More',
  navInbox: 'Inbox',
  navChats: 'Chats',
  navForms: 'Forms',
  navContacts: 'Contacts',
  navArticles: 'Articles',
  navKeys: 'API keys',
  navWebhooks: 'Webhooks',
  navAudit: 'Audit log',
  navUsers: 'Users',
  navSettings: 'Settings',
  navAccount: 'Your account',
  signOut: 'Sign out',
  // Of these pages: as the device has it, light, dark
  theme: 'Theme',
  themeSystem: 'System',
  themeLight: 'Light',
  themeDark: 'Dark',

  // Buttons and links that many pages have
  save: 'Save',
  cancel: 'Cancel',
  delete: 'Delete',
  edit: 'Edit',
  add: 'Add',
  close: 'Close',
  back: 'Back',
  copy: 'Copy',
  copied: 'Copied',
  search: 'Search',
  apply: 'Apply',
  clearFilters: 'Clear filters',
  all: 'All',
  yes: 'Yes',
  no: 'No',
  none: 'None',
  never: 'Never',
  optional: 'optional',
  actions: 'Actions',
  // Paging of lists, which go from new to old
  pages: 'More of this list',
  newest: 'Newest',
  older: 'Older',
  // Above a form that could not be taken
  problem: 'This needs your attention',
  // The title of its window
  problemTitle: 'Error: {title}',
  // Before a step that cannot be undone
  confirm: 'Are you sure?',

  // Roles
  admin: 'Admin',
  agent: 'Agent',

  // Pages that say why there is no page
  notFound: 'This page does not exist',
  notFoundWhy: 'The address may be wrong, or what it showed has been deleted.',
  forbidden: 'Only admins can do this',
  forbiddenWhy: 'Ask an admin of {tenant} to do it for you, or to make you an admin.',
  foreignForm: 'This form could not be taken',
  foreignFormWhy:
    'It was not sent from a page of yours, or the page was open for too long. Nothing was changed: go back, load the page again and send it once more.',
  refused: 'This could not be done',
  tooMany: 'Too many attempts',
  tooManyWhy: { one: 'Please try again in {count} minute.', other: 'Please try again in {count} minutes.' },
  unavailable: 'Not available at the moment',
  unavailableWhy: 'Nothing was changed. Please try again in a few seconds.',
  failed: 'Something went wrong on our side',
  failedWhy: 'If it happens again, tell whoever runs this service: request {request}.',
  backToStart: 'Back to the start page',
} as const
