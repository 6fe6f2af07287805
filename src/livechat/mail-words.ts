/** What stands in a mail with answers from a chat, besides the answers. `subject` gets the name of who answers. */
interface MailWords {
  readonly subject: (name: string) => string
  readonly closing: string
}

const en: MailWords = {
  subject: (name) => `Your conversation with ${name}`,
  closing: 'Reply to this mail to go on with the conversation.',
}

const lists: Readonly<Record<string, MailWords>> = {
  en,
  de: {
    subject: (name) => `Ihr Gespräch mit ${name}`,
    closing: 'Antworten Sie auf diese Mail, um das Gespräch fortzusetzen.',
  },
  fr: {
    subject: (name) => `Votre conversation avec ${name}`,
    closing: 'Répondez à cet e-mail pour poursuivre la conversation.',
  },
  es: {
    subject: (name) => `Su conversación con ${name}`,
    closing: 'Responda a este correo para continuar la conversación.',
  },
  it: {
    subject: (name) => `La Sua conversazione con ${name}`,
    closing: 'Risponda a questa e-mail per continuare la conversazione.',
  },
  nl: {
    subject: (name) => `Uw gesprek met ${name}`,
    closing: 'Beantwoord deze e-mail om het gesprek voort te zetten.',
  },
  pl: {
    subject: (name) => `Rozmowa z ${name}`,
    closing: 'Odpowiedz na tę wiadomość, aby kontynuować rozmowę.',
  },
  pt: {
    subject: (name) => `A sua conversa com ${name}`,
    closing: 'Responda a este e-mail para continuar a conversa.',
  },
  sv: {
    subject: (name) => `Din konversation med ${name}`,
    closing: 'Svara på det här mejlet för att fortsätta konversationen.',
  },
  da: {
    subject: (name) => `Din samtale med ${name}`,
    closing: 'Svar på denne e-mail for at fortsætte samtalen.',
  },
  ja: {
    subject: (name) => `${name} との会話`,
    closing: '会話を続けるには、このメールに返信してください。',
  },
  ar: {
    subject: (name) => `محادثتك مع ${name}`,
    closing: 'للمتابعة، يرجى الرد على هذه الرسالة.',
  },
  he: {
    subject: (name) => `השיחה שלך עם ${name}`,
    closing: 'כדי להמשיך בשיחה, יש להשיב להודעה זו.',
  },
}

/** The words of a language (BCP 47): `de-AT` gets German, one that is not here English. */
export function mailWordsOf(language: string): MailWords {
  return lists[new Intl.Locale(language).language] ?? en
}
