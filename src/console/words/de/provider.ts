import type { Translation } from '../../../words/sentences.ts'
import type { provider as english } from '../en/provider.ts'

export const provider: Translation<typeof english> = {
  signInWithProvider: 'Mit {provider} anmelden',
  providerFailed: 'Sie sind nicht angemeldet',
  providerBack: 'Zurück zur Anmeldung',
  providerTooOld:
    'Das hat zu lange gedauert oder begann in einem anderen Fenster. Bitte melden Sie sich noch einmal an.',
  providerUnreachable:
    '{provider} ist im Moment nicht erreichbar. Versuchen Sie es in einigen Minuten noch einmal, oder melden Sie sich mit Ihrem Passwort an.',
  providerDenied: '{provider} hat Sie nicht eingelassen, oder Sie sind dort umgekehrt.',
  providerUntrusted:
    'Auf die Antwort von {provider} ist kein Verlass. Wenn es wieder geschieht, sagen Sie es denen, die diesen Dienst betreiben.',
  providerUnverified:
    '{provider} hat Ihre E-Mail-Adresse nicht bestätigt. Deshalb lässt sich hier nicht sagen, wer Sie sind.',
  providerAnother:
    '{email} gehört hier jemand anderem, den der Anbieter unter einem anderen Konto kennt. Bitten Sie einen Administrator, nachzusehen.',
  providerUnknown: 'Mit {email} meldet sich hier niemand an. Bitten Sie einen Administrator, Sie einzuladen.',
}
