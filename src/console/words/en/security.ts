export const security = {
  // Two-step sign-in, with an app that shows codes
  codeTitle: 'Two-step sign-in',
  codeOff: 'Besides your password, an app on your phone can show a code that is asked for when you sign in.',
  codeOn: 'When you sign in, you are asked for a code from your app.',
  codesLeft: { one: '{count} recovery code is left.', other: '{count} recovery codes are left.' },
  setUpCode: 'Set it up',
  turnOffCode: 'Turn it off',
  turnOffQuestion: 'Your password alone is then enough to sign in.',
  // By an admin, for somebody who has lost their phone and their codes
  turnOffFor:
    'For somebody who has lost their phone, their recovery codes or their passkeys: all of them are taken away, and their password alone is then enough to sign in.',
  codeIsOffFor: 'Two-step sign-in of {email} is off.',
  codeIsOff: 'Two-step sign-in is off.',
  codeScan: 'Scan this with an authenticator app, such as Aegis, Google Authenticator or 1Password.',
  codeSecret: 'Or type this into the app',
  codeOfApp: 'Code from the app',
  codeHelp: 'Six digits, to see that it works.',
  qrCode: 'QR code',
  turnOnCode: 'Turn it on',
  recoveryTitle: 'Your recovery codes',
  recoveryIntro:
    'Two-step sign-in is on. Keep these codes where you find them without your phone: each works once. They are not shown again.',
  recoveryCodes: 'Recovery codes',
  recoveryDone: 'I have saved them',
  // The second step of signing in
  enterCode: 'Enter your code',
  enterCodeHelp: 'From your app, or one of your recovery codes.',
  codeWrong: 'This code is not right, or was used already.',
  // Where the tenant wants one of everybody
  secondFactorRequired:
    '{tenant} requires a second step at sign-in. Set one up to go on: an app on your phone that shows codes, or a passkey.',
  passkeyNeeded: 'A password alone is not enough here: sign in with your passkey.',
  requireSecondFactor: 'Require two-step sign-in',
  requireSecondFactorHelp:
    'Whoever signs in by a password and has neither an app with codes nor a passkey sets one up before anything else. API keys work as before.',
  // For somebody without a password
  signInAgainFirst:
    'You have no password here that could be asked for. Sign out, sign in again, and do this within ten minutes.',
  signedOutMeanwhile: 'You were signed out meanwhile, so this has not been saved. Sign in, and send it again.',
  signInTooOld: 'That took too long. Please sign in again.',

  // Signing in with what a phone or computer keeps, unlocked as the device is
  passkeysTitle: 'Passkeys',
  passkeysIntro: 'With a passkey you sign in as you unlock your phone or computer, without a password or a code.',
  passkeyNameHelp: 'Where you keep it: “Phone”, “Laptop”.',
  addPasskey: 'Add a passkey',
  passkeyQuestion: 'You can no longer sign in with “{name}”. Remove it from the device, too.',
  passkeyRemove: 'Remove the passkey',
  passkeyIsAdded: '“{name}” can be used to sign in.',
  passkeyIsRemoved: 'The passkey is removed.',
  passkeyCancelled: 'That did not work, or was cancelled. You can try again.',
  passkeyNeedsScript: 'Passkeys need JavaScript.',
  signInWithPasskey: 'Sign in with a passkey',
  passkeyRefused: 'This passkey is not known here.',
} as const
