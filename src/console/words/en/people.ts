export const people = {
  // Users of the tenant, for admins
  usersTitle: 'Users',
  usersIntro:
    'Agents work with forms, tickets, contacts and articles. Admins also manage keys, webhooks, users and settings.',
  inviteUser: 'Invite somebody',
  sendInvitation: 'Send invitation',
  userName: 'Name',
  userEmailHelp: 'They sign in with it. The invitation is sent there and works for 7 days.',
  userRole: 'Role',
  userBillable: 'Can own forms',
  userBillableHelp: 'Forms made through the API belong to the first user who can own them.',
  userState: 'State',
  userActive: 'Active',
  userInvited: 'Invited',
  userSince: 'Since',
  secondFactorOn: 'Two-step sign-in',
  mailCameBack: 'Mail came back',
  mailCameBackHelp:
    'The last mail did not reach them, and its link has ended. See whether the address is right before you send another one.',
  userIsInvited: 'An invitation is on its way to {email}.',
  userIsThereMailFailed:
    '{email} was added, but the invitation could not be sent. Check FRONTDESK_SMTP_URL and send it again.',
  userIsSaved: 'Changes to {email} are saved.',
  userIsRemoved: '{email} was removed.',
  mailFailed: 'The mail could not be sent. Check FRONTDESK_SMTP_URL and try again.',
  resendInvitation: 'Send the invitation again',
  sendReset: 'Send a link for a new password',
  resetIsSent: 'A link is on its way to {email}.',
  mailIsInOutbox:
    'The mail to {email} lies in the outbox folder of the data folder: no server sends such mails yet (FRONTDESK_SMTP_URL).',
  resetHelp: 'For somebody who forgot theirs. The link works for one hour, and their password until they use it.',
  removeUser: 'Remove',
  removeQuestion:
    '{email} is signed out at once and cannot sign in again. Their forms become yours; what they wrote stays.',
  removeTitle: 'Remove this user',
  accessTitle: 'Access',
  backToUsers: 'All users',

  // Where they are signed in, and by what
  userSessionsTitle: 'Sessions',
  userSessions: {
    one: 'Signed in with {count} browser.',
    other: 'Signed in with {count} browsers.',
  },
  userNoSessions: 'Not signed in anywhere at the moment.',
  endSessions: 'Sign out everywhere',
  endSessionsQuestion: 'Every browser of {email} has to sign in again. What was typed there and not saved is lost.',
  sessionsAreEnded: '{email} is signed out everywhere.',
  providerTitle: 'Identity provider',
  providerKnows: 'Signs in by {provider}, which knows who this is whatever their address there.',
  providerForget: 'Forget the account there',
  providerForgetQuestion:
    'For somebody whose account there was made again: whoever signs in by {provider} with {email} next is taken for them.',
  providerIsForgotten: 'The account of {email} there is forgotten.',

  // Mails to them
  invitationSubject: 'Your invitation to {tenant}',
  invitationText: '{name} has invited you to work for {tenant}. Choose a password here:',
  invitationEnds: 'The link works for 7 days.',
  invitationElsewhere:
    '{name} has invited you to work for {tenant}. You already sign in here with this address for somebody else, and an address can do so for one organisation alone.',
  invitationElsewhereHelp:
    'Ask {name} to invite another address of yours. To use this one, have your account at the other organisation removed first, and then ask for the invitation again.',
  resetSubject: 'A new password for {tenant}',
  resetText: 'Choose a new password for your account at {tenant} here:',
  resetEnds: 'The link works for one hour. If you did not ask for it, you need not do anything.',

  // Choosing a password by such a link
  forgotPassword: 'Forgot your password?',
  forgotTitle: 'New password',
  forgotIntro: 'We send you a link to choose another one.',
  sendLink: 'Send link',
  linkSent: 'If there is an account for {email}, a link is on its way. It works for one hour.',
  choosePassword: 'Choose a password',
  choosePasswordFor: 'For {email} at {tenant}.',
  newPassword: 'New password',
  passwordHelp: 'At least 12 characters. A few words in a row are easy to remember.',
  linkEnded: 'This link no longer works',
  linkEndedWhy: 'It was used already, or is too old. Ask for another one.',
  passwordIsChosen: 'Your password is set. Please sign in.',
} as const
