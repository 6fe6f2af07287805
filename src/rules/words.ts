/** What the mail about a rule that was switched off says to those who can put it right. */
interface RuleWords {
  readonly subject: (name: string) => string
  readonly failed: (name: string, times: number) => string
  readonly why: (error: string) => string
  readonly next: string
}

const en: RuleWords = {
  subject: (name) => `The rule “${name}” was switched off`,
  failed: (name, times) => `The rule “${name}” has failed ${times} times in a row, and was switched off.`,
  why: (error) => `What went wrong: ${error}.`,
  next: 'Its runs are shown in the console, under Settings, Rules. Once it is put right, switch it on again.',
}

const de: RuleWords = {
  subject: (name) => `Die Regel „${name}“ wurde abgeschaltet`,
  failed: (name, times) => `Die Regel „${name}“ ist ${times}-mal nacheinander gescheitert und wurde abgeschaltet.`,
  why: (error) => `Woran sie gescheitert ist: ${error}.`,
  next: 'Ihre Läufe stehen in der Konsole unter Einstellungen, Regeln. Wenn sie wieder stimmt, schalten Sie sie ein.',
}

/** The words of a language (BCP 47): `de-AT` gets German, one that is not here English. */
export function ruleWordsOf(language: string): RuleWords {
  return new Intl.Locale(language).language === 'de' ? de : en
}
