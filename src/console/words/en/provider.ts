/* Signing in with the account that people have elsewhere. {provider} is a host, such as login.acme.test. */
export const provider = {
  signInWithProvider: 'Sign in with {provider}',
  providerFailed: 'You are not signed in',
  providerBack: 'Back to the sign-in',
  providerTooOld: 'That took too long, or was begun in another window. Please sign in again.',
  providerUnreachable:
    '{provider} cannot be reached at the moment. Try again in a few minutes, or sign in with your password.',
  providerDenied: '{provider} did not let you in, or you cancelled there.',
  providerUntrusted:
    'What {provider} answered cannot be relied on. If it happens again, tell whoever runs this service.',
  providerUnverified: '{provider} has not verified your email address, so nobody can tell here who you are.',
  providerAnother:
    '{email} belongs to somebody else here, whom the provider knows by another account. Ask an admin to look into it.',
  providerUnknown: 'Nobody signs in here with {email}. Ask an admin to invite you.',
} as const
