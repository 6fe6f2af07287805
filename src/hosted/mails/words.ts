import { type Wording, wordingOf } from '../../lib/language/wording.ts'
import type { Translation } from '../../words/sentences.ts'

/* What mails to respondents say, in the languages of forms' pages. */

const en = {
  copySubject: 'Your answers: {form}',
  copyIntro: 'Thank you. These are the answers that you sent to {name}.',
  laterSubject: 'Go on with: {form}',
  laterIntro: 'With this link you can go on with “{form}” by {name}, on any device:',
  laterOpen: 'Go on',
  laterUntil: 'It works until {date}. Whoever has it can read and change your answers: please keep it to yourself.',
  notYou: 'If you did not ask for this mail, you can ignore it: somebody has mistyped their address.',
} as const

type Words = Translation<typeof en>

const lists: Readonly<Record<string, Words>> = {
  en,
  de: {
    copySubject: 'Ihre Antworten: {form}',
    copyIntro: 'Vielen Dank. Das sind die Antworten, die Sie an {name} gesendet haben.',
    laterSubject: 'Weitermachen: {form}',
    laterIntro: 'Mit diesem Link können Sie bei „{form}“ von {name} weitermachen, auf jedem Gerät:',
    laterOpen: 'Weitermachen',
    laterUntil:
      'Er gilt bis zum {date}. Wer ihn hat, kann Ihre Antworten lesen und ändern: Geben Sie ihn bitte nicht weiter.',
    notYou:
      'Wenn Sie diese Mail nicht angefordert haben, können Sie sie ignorieren: Jemand hat sich bei der Adresse vertippt.',
  },
  fr: {
    copySubject: 'Vos réponses : {form}',
    copyIntro: 'Merci. Voici les réponses que vous avez envoyées à {name}.',
    laterSubject: 'Continuer : {form}',
    laterIntro: 'Avec ce lien, vous pouvez continuer « {form} » de {name}, sur n’importe quel appareil :',
    laterOpen: 'Continuer',
    laterUntil:
      'Il fonctionne jusqu’au {date}. Quiconque le possède peut lire et modifier vos réponses : gardez-le pour vous.',
    notYou: 'Si vous n’avez pas demandé ce message, ignorez-le : quelqu’un s’est trompé d’adresse.',
  },
  es: {
    copySubject: 'Sus respuestas: {form}',
    copyIntro: 'Gracias. Estas son las respuestas que ha enviado a {name}.',
    laterSubject: 'Continuar: {form}',
    laterIntro: 'Con este enlace puede continuar «{form}» de {name} en cualquier dispositivo:',
    laterOpen: 'Continuar',
    laterUntil: 'Funciona hasta el {date}. Quien lo tenga puede leer y cambiar sus respuestas: no lo comparta.',
    notYou: 'Si no ha pedido este mensaje, puede ignorarlo: alguien se ha equivocado al escribir su dirección.',
  },
  it: {
    copySubject: 'Le sue risposte: {form}',
    copyIntro: 'Grazie. Queste sono le risposte che ha inviato a {name}.',
    laterSubject: 'Continuare: {form}',
    laterIntro: 'Con questo link può continuare «{form}» di {name}, su qualsiasi dispositivo:',
    laterOpen: 'Continua',
    laterUntil: 'Funziona fino al {date}. Chi lo possiede può leggere e modificare le sue risposte: lo tenga per sé.',
    notYou:
      'Se non ha richiesto questo messaggio, può ignorarlo: qualcuno ha sbagliato a scrivere il proprio indirizzo.',
  },
  nl: {
    copySubject: 'Uw antwoorden: {form}',
    copyIntro: 'Bedankt. Dit zijn de antwoorden die u naar {name} hebt gestuurd.',
    laterSubject: 'Verdergaan: {form}',
    laterIntro: 'Met deze link kunt u op elk apparaat verdergaan met ‘{form}’ van {name}:',
    laterOpen: 'Verdergaan',
    laterUntil: 'De link werkt tot {date}. Wie hem heeft, kan uw antwoorden lezen en wijzigen: houd hem voor uzelf.',
    notYou: 'Hebt u niet om deze mail gevraagd, dan kunt u hem negeren: iemand heeft zich vergist in het adres.',
  },
  pl: {
    copySubject: 'Państwa odpowiedzi: {form}',
    copyIntro: 'Dziękujemy. Oto odpowiedzi wysłane do {name}.',
    laterSubject: 'Kontynuacja: {form}',
    laterIntro: 'Za pomocą tego linku można na dowolnym urządzeniu kontynuować wypełnianie „{form}” ({name}):',
    laterOpen: 'Kontynuuj',
    laterUntil:
      'Link działa do {date}. Kto go ma, może czytać i zmieniać odpowiedzi, dlatego proszę go nie przekazywać.',
    notYou: 'Jeśli ta wiadomość jest niespodzianką, można ją zignorować: ktoś pomylił się, wpisując adres.',
  },
  pt: {
    copySubject: 'Suas respostas: {form}',
    copyIntro: 'Obrigado. Estas são as respostas enviadas a {name}.',
    laterSubject: 'Continuar: {form}',
    laterIntro: 'Com este link é possível continuar “{form}” de {name} em qualquer dispositivo:',
    laterOpen: 'Continuar',
    laterUntil: 'Ele funciona até {date}. Quem o tiver pode ler e alterar suas respostas: não o compartilhe.',
    notYou: 'Se você não pediu esta mensagem, pode ignorá-la: alguém digitou o endereço errado.',
  },
  sv: {
    copySubject: 'Dina svar: {form}',
    copyIntro: 'Tack. Det här är svaren som du skickade till {name}.',
    laterSubject: 'Fortsätt: {form}',
    laterIntro: 'Med den här länken kan du fortsätta med ”{form}” från {name}, på vilken enhet som helst:',
    laterOpen: 'Fortsätt',
    laterUntil:
      'Den fungerar till {date}. Den som har länken kan läsa och ändra dina svar, så behåll den för dig själv.',
    notYou: 'Om du inte har bett om det här mejlet kan du bortse från det: någon har skrivit fel adress.',
  },
  da: {
    copySubject: 'Dine svar: {form}',
    copyIntro: 'Tak. Her er de svar, du har sendt til {name}.',
    laterSubject: 'Fortsæt: {form}',
    laterIntro: 'Med dette link kan du fortsætte med “{form}” fra {name} på en hvilken som helst enhed:',
    laterOpen: 'Fortsæt',
    laterUntil: 'Det virker indtil {date}. Den, der har det, kan læse og ændre dine svar, så del det ikke med andre.',
    notYou: 'Har du ikke bedt om denne mail, kan du se bort fra den: nogen har tastet deres adresse forkert.',
  },
  ja: {
    copySubject: 'ご回答の控え：{form}',
    copyIntro: 'ご回答ありがとうございます。{name}に送信された内容は次のとおりです。',
    laterSubject: '続きの入力：{form}',
    laterIntro: '次のリンクから、どの端末でも{name}の「{form}」の続きを入力できます。',
    laterOpen: '続ける',
    laterUntil:
      'リンクの有効期限は{date}です。リンクを知っている人は回答の閲覧と変更ができるため、他の人には教えないでください。',
    notYou: 'お心当たりのない場合は、このメールを無視してください。どなたかがアドレスを誤って入力したものです。',
  },
  ar: {
    copySubject: 'إجاباتكم: {form}',
    copyIntro: 'شكرًا لكم. هذه هي الإجابات التي أرسلتموها إلى {name}.',
    laterSubject: 'المتابعة: {form}',
    laterIntro: 'يمكنكم بهذا الرابط متابعة «{form}» من {name} على أي جهاز:',
    laterOpen: 'متابعة',
    laterUntil: 'يعمل الرابط حتى {date}. ويمكن لكل من لديه الرابط قراءة إجاباتكم وتغييرها، لذا يُرجى عدم مشاركته.',
    notYou: 'إذا لم تطلبوا هذه الرسالة فيمكنكم تجاهلها: لقد أخطأ شخص ما في كتابة عنوانه.',
  },
  he: {
    copySubject: 'התשובות שלך: {form}',
    copyIntro: 'תודה. אלה התשובות שנשלחו אל {name}.',
    laterSubject: 'להמשך: {form}',
    laterIntro: 'בקישור הזה אפשר להמשיך את „{form}” של {name} מכל מכשיר:',
    laterOpen: 'להמשיך',
    laterUntil: 'הקישור פעיל עד {date}. כל מי שיש לו את הקישור יכול לקרוא ולשנות את התשובות, לכן נא לא להעביר אותו.',
    notYou: 'אם לא ביקשת את ההודעה הזו, אפשר להתעלם ממנה: מישהו טעה בכתובת שלו.',
  },
}

/** What a mail in `language` is written in: `wordingOf`. */
export function mailWordsOf(language: string): Wording<typeof en> {
  return wordingOf<typeof en>(lists, language)
}
