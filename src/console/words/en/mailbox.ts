/* The mailbox of an email inbox: connecting, trying and letting go of it. */
export const mailbox = {
  mailboxTitle: 'Mailbox',
  mailboxOnlyEmail: 'Only email inboxes have a mailbox: what comes in here needs none.',
  mailboxNone:
    'This inbox is not connected to a mailbox: it takes the mails that are sent to this service, and its answers go out as this service is set up to send. Connect one to fetch its mails and to send from it.',
  mailboxImap: 'Incoming mail',
  mailboxSmtp: 'Outgoing mail',
  mailboxUser: 'Signed in as',
  // `help@acme.test (Google)`
  mailboxUserBy: '{user} ({way})',
  mailboxByPassword: 'password',
  mailboxMicrosoft: 'Microsoft 365',
  mailboxGoogle: 'Google',
  mailboxTest: 'Test the connection',
  mailboxTested: 'Both servers let us in.',
  mailboxDisconnect: 'Disconnect',
  mailboxDisconnectAsk:
    'No mails are fetched from it any more, and its password is forgotten. Tickets and the mails in the mailbox stay.',
  mailboxDisconnected: 'The mailbox is disconnected.',
  mailboxReplace: 'Connect anew, or another mailbox',
  mailboxIsConnected: 'The mailbox is connected. Mails are fetched in a moment, and answers go out by it.',

  mailboxConsentTitle: 'Microsoft 365 or Google',
  mailboxConsentHelp:
    'You sign in there as the owner of the mailbox and allow this service to read and send its mails. No password is kept here.',
  mailboxConsentNone:
    'Mailboxes of Microsoft 365 and Google can be connected without a password once whoever runs this service has registered it there.',
  mailboxAccount: 'Account',
  mailboxGoTo: 'Continue with {provider}',
  mailboxConsentTooOld: 'That took too long, or was begun in another session. Please begin again.',
  mailboxConsentDenied: '{provider} gave no access, or you turned back there.',

  mailboxPasswordTitle: 'User and password',
  mailboxPasswordHelp: 'Both servers are tried first. This may take half a minute.',
  mailboxUserName: 'User',
  mailboxUserNameHelp: 'As at the mail server: the whole address, mostly.',
  mailboxPasswordOwnHelp: 'Where the provider has passwords for apps, use one of those. It is stored encrypted.',
  mailboxHost: 'Server',
  mailboxPort: 'Port',
  mailboxPortHelp: 'Leave it empty for the usual one.',
  mailboxSecurity: 'Encryption',
  mailboxTls: 'TLS',
  mailboxStartTls: 'STARTTLS',
  mailboxOld: 'Mails that lie there already',
  mailboxOldNone: 'Leave them alone',
  mailboxOldWeek: 'Make tickets of those of the last 7 days',
  mailboxOldMonth: 'Make tickets of those of the last 30 days',
  mailboxOldAll: 'Make tickets of all of them',
  mailboxTry: 'Test and connect',

  // `Incoming mail (imap.acme.test:993): There is no host of this name.`
  mailboxFault: '{where}: {why}',
  mailboxFaultSaid: '{where}: {why} The server said: “{said}”',
  mailboxFaultPlace: '{what} ({place})',
  mailboxSaid: 'The server said: “{said}”',
  mailbox_host_unknown: 'There is no host of this name.',
  mailbox_not_public: 'This host has a private or reserved address, where nothing is ever sent.',
  mailbox_refused: 'The host takes no connections on this port.',
  mailbox_unreachable: 'The host does not answer.',
  mailbox_tls: 'No secure connection came about: the certificate is not right, or the kind of encryption.',
  mailbox_sign_in: 'The server does not accept this user and password.',
  mailbox_not_renewed: 'Access has ended and is not renewed. Connect the mailbox anew.',
  mailbox_no_consent: 'No lasting access was given. Consent to it once more.',
  mailbox_no_client:
    'This service is not registered there, or no longer. Tell whoever runs it to look at its client id and secret.',
  mailbox_no_inbox: 'The account has no folder INBOX that could be opened.',
  mailbox_lost: 'The server keeps closing the connection.',
  mailbox_sealed: 'The stored password cannot be decrypted. Connect the mailbox anew.',
  mailbox_trouble: 'The server answers otherwise than expected.',

  rule_host: 'Must be the name of a server, such as imap.acme.test.',
  rule_missing: 'Must not be empty.',
} as const
