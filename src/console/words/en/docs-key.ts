/* A key to try the API with in its documentation. */
export const docsKey = {
  docsKeyTitle: 'Try the API',
  docsKeyIntro:
    'Makes a key that works for an hour, and opens the documentation with it filled in: every example there can be tried out with your own data.',
  docsKeyOpen: 'Open the documentation',
  // Of the key, in the list and the audit log
  docsKeyName: 'Documentation, for {name}',
  docsKeyReady:
    'Press “Authorize” in the documentation and paste this key. It works for an hour and is not shown again.',
  docsKeyGo: 'Go to the documentation',
} as const
