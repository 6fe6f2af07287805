import type { Translation } from '../../../words/sentences.ts'
import type { security as english } from '../en/security.ts'

export const security: Translation<typeof english> = {
  codeTitle: 'Anmeldung in zwei Schritten',
  codeOff:
    'Zusätzlich zum Passwort kann eine App auf Ihrem Telefon einen Code zeigen, nach dem bei der Anmeldung gefragt wird.',
  codeOn: 'Wenn Sie sich anmelden, wird nach einem Code Ihrer App gefragt.',
  codesLeft: {
    one: '{count} Wiederherstellungscode ist noch übrig.',
    other: '{count} Wiederherstellungscodes sind noch übrig.',
  },
  setUpCode: 'Einrichten',
  turnOffCode: 'Ausschalten',
  turnOffQuestion: 'Dann genügt zur Anmeldung Ihr Passwort.',
  turnOffFor:
    'Für alle, die ihr Telefon, ihre Wiederherstellungscodes oder ihre Passkeys verloren haben: Alles davon wird entfernt, und dann genügt zur Anmeldung das Passwort.',
  codeIsOffFor: 'Die Anmeldung in zwei Schritten von {email} ist ausgeschaltet.',
  codeIsOff: 'Die Anmeldung in zwei Schritten ist ausgeschaltet.',
  codeScan: 'Scannen Sie das mit einer Authenticator-App, zum Beispiel Aegis, Google Authenticator oder 1Password.',
  codeSecret: 'Oder geben Sie das in die App ein',
  codeOfApp: 'Code der App',
  codeHelp: 'Sechs Ziffern, um zu sehen, dass es klappt.',
  qrCode: 'QR-Code',
  turnOnCode: 'Einschalten',
  recoveryTitle: 'Ihre Wiederherstellungscodes',
  recoveryIntro:
    'Die Anmeldung in zwei Schritten ist eingeschaltet. Bewahren Sie diese Codes auf, wo Sie sie ohne Ihr Telefon finden: Jeder bringt Sie einmal hinein. Sie werden nicht noch einmal gezeigt.',
  recoveryCodes: 'Wiederherstellungscodes',
  recoveryDone: 'Ich habe sie gesichert',
  enterCode: 'Geben Sie Ihren Code ein',
  enterCodeHelp: 'Den Ihrer App oder einen Ihrer Wiederherstellungscodes.',
  codeWrong: 'Dieser Code stimmt nicht oder wurde schon benutzt.',
  secondFactorRequired:
    '{tenant} verlangt einen zweiten Schritt bei der Anmeldung. Richten Sie einen ein, um weiterzukommen: eine App auf Ihrem Telefon, die Codes zeigt, oder einen Passkey.',
  passkeyNeeded: 'Ein Passwort allein genügt hier nicht: Melden Sie sich mit Ihrem Passkey an.',
  requireSecondFactor: 'Anmeldung in zwei Schritten verlangen',
  requireSecondFactorHelp:
    'Wer sich mit einem Passwort anmeldet und weder eine App mit Codes noch einen Passkey hat, richtet das vor allem anderen ein. API-Schlüssel gelten wie bisher.',
  signInAgainFirst:
    'Sie haben hier kein Passwort, nach dem gefragt werden könnte. Melden Sie sich ab und wieder an, und tun Sie das innerhalb von zehn Minuten.',
  signedOutMeanwhile:
    'Sie waren inzwischen abgemeldet, deshalb ist das nicht gespeichert. Melden Sie sich an und senden Sie es noch einmal ab.',
  signInTooOld: 'Das hat zu lange gedauert. Bitte melden Sie sich noch einmal an.',

  passkeysTitle: 'Passkeys',
  passkeysIntro:
    'Mit einem Passkey melden Sie sich so an, wie Sie Ihr Telefon oder Ihren Computer entsperren, ohne Passwort und Code.',
  passkeyNameHelp: 'Wo er liegt: „Telefon“, „Laptop“.',
  addPasskey: 'Passkey hinzufügen',
  passkeyQuestion: '„{name}“ meldet Sie nicht mehr an. Entfernen Sie ihn auch vom Gerät.',
  passkeyRemove: 'Passkey entfernen',
  passkeyIsAdded: 'Mit „{name}“ können Sie sich jetzt anmelden.',
  passkeyIsRemoved: 'Der Passkey ist entfernt.',
  passkeyCancelled: 'Das hat nicht geklappt oder wurde abgebrochen. Sie können es noch einmal versuchen.',
  passkeyNeedsScript: 'Passkeys brauchen JavaScript.',
  signInWithPasskey: 'Mit einem Passkey anmelden',
  passkeyRefused: 'Dieser Passkey ist hier nicht bekannt.',
}
