export const signIn = {
  signInTitle: 'Sign in',
  email: 'Email',
  password: 'Password',
  signIn: 'Sign in',
  // The same for an account that does not exist
  signInRefused: 'The email or the password is not right.',
  signedOut: 'You are signed out.',
} as const
