export const security = {
  // Two-step sign-in, with an app that shows codes
  codeTitle: 'Two-step sign-in',
  codeOff: 'Besides your password, an app on your phone can show a code that is asked for when you sign in.',
  codeOn: 'When you sign in, you are asked for a code of your app.',
  codesLeft: { one: '{count} recovery code is left.', other: '{count} recovery codes are left.' },
  setUpCode: 'Set it up',
  turnOffCode: 'Turn it off',
  turnOffQuestion: 'Your password alone is then enough to sign in.',
  codeIsOff: 'Two-step sign-in is off.',
  codeScan: 'Scan this with an authenticator app, such as Aegis, Google Authenticator or 1Password.',
  codeSecret: 'Or type this into the app',
  codeOfApp: 'Code of the app',
  codeHelp: 'Six digits, to see that it works.',
  qrCode: 'QR code',
  turnOnCode: 'Turn it on',
  recoveryTitle: 'Your recovery codes',
  recoveryIntro:
    'Two-step sign-in is on. Keep these codes where you find them without your phone: each gets you in once. They are not shown again.',
  recoveryCodes: 'Recovery codes',
  recoveryDone: 'I have kept them',
  // The second step of signing in
  enterCode: 'Enter your code',
  enterCodeHelp: 'Of your app, or one of your recovery codes.',
  codeWrong: 'This code is not right, or was used already.',
  signInTooOld: 'That took too long. Please sign in again.',
} as const
