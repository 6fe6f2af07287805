/** What stands above the address of a form that a customer is sent, and what the ready-made form asks. */
interface SatisfactionWords {
  readonly ask: string
  readonly title: string
  readonly thumbs: string
  readonly good: string
  readonly bad: string
  readonly why: string
}

const en: SatisfactionWords = {
  ask: 'We would like to know how we did. It takes half a minute:',
  title: 'How did we do?',
  thumbs: 'Were you happy with our help?',
  good: 'Yes',
  bad: 'No',
  why: 'Why? What could we do better?',
}

const lists: Readonly<Record<string, SatisfactionWords>> = {
  en,
  de: {
    ask: 'Wir wüssten gern, wie zufrieden Sie mit uns waren. Es dauert eine halbe Minute:',
    title: 'Wie zufrieden waren Sie?',
    thumbs: 'Waren Sie mit unserer Hilfe zufrieden?',
    good: 'Ja',
    bad: 'Nein',
    why: 'Warum? Was können wir besser machen?',
  },
  fr: {
    ask: 'Nous aimerions savoir si vous êtes satisfait de notre aide. Cela prend une demi-minute :',
    title: 'Êtes-vous satisfait ?',
    thumbs: 'Notre aide vous a-t-elle satisfait ?',
    good: 'Oui',
    bad: 'Non',
    why: 'Pourquoi ? Que pourrions-nous améliorer ?',
  },
  es: {
    ask: 'Nos gustaría saber qué le ha parecido nuestra atención. Solo lleva medio minuto:',
    title: '¿Qué le ha parecido?',
    thumbs: '¿Ha quedado satisfecho con nuestra ayuda?',
    good: 'Sí',
    bad: 'No',
    why: '¿Por qué? ¿Qué podríamos mejorar?',
  },
  it: {
    ask: 'Vorremmo sapere se è soddisfatto del nostro aiuto. Basta mezzo minuto:',
    title: 'È soddisfatto?',
    thumbs: 'È soddisfatto del nostro aiuto?',
    good: 'Sì',
    bad: 'No',
    why: 'Perché? Che cosa potremmo fare meglio?',
  },
  nl: {
    ask: 'We horen graag of u tevreden bent. Het kost een halve minuut:',
    title: 'Bent u tevreden?',
    thumbs: 'Bent u tevreden over onze hulp?',
    good: 'Ja',
    bad: 'Nee',
    why: 'Waarom? Wat kunnen we beter doen?',
  },
  pl: {
    ask: 'Chcielibyśmy wiedzieć, jak oceniają Państwo naszą pomoc. Zajmie to pół minuty:',
    title: 'Jak nas Państwo oceniają?',
    thumbs: 'Czy są Państwo zadowoleni z naszej pomocy?',
    good: 'Tak',
    bad: 'Nie',
    why: 'Dlaczego? Co możemy poprawić?',
  },
  pt: {
    ask: 'Gostaríamos de saber se ficou satisfeito com a nossa ajuda. Demora meio minuto:',
    title: 'Ficou satisfeito?',
    thumbs: 'Ficou satisfeito com a nossa ajuda?',
    good: 'Sim',
    bad: 'Não',
    why: 'Porquê? O que podemos melhorar?',
  },
  sv: {
    ask: 'Vi vill gärna veta hur nöjd du är. Det tar en halv minut:',
    title: 'Är du nöjd?',
    thumbs: 'Är du nöjd med hjälpen du fick?',
    good: 'Ja',
    bad: 'Nej',
    why: 'Varför? Vad kan vi göra bättre?',
  },
  da: {
    ask: 'Vi vil gerne vide, hvor tilfreds du er. Det tager et halvt minut:',
    title: 'Er du tilfreds?',
    thumbs: 'Er du tilfreds med den hjælp, du fik?',
    good: 'Ja',
    bad: 'Nej',
    why: 'Hvorfor? Hvad kan vi gøre bedre?',
  },
  ja: {
    ask: '対応についてのご感想をお聞かせください。30秒ほどで終わります。',
    title: 'ご満足いただけましたか？',
    thumbs: 'サポートにご満足いただけましたか？',
    good: 'はい',
    bad: 'いいえ',
    why: 'その理由や、改善できる点をお聞かせください。',
  },
  ar: {
    ask: 'نود معرفة رأيك في مساعدتنا. لن يستغرق ذلك سوى نصف دقيقة:',
    title: 'ما رأيك في مساعدتنا؟',
    thumbs: 'هل أنت راضٍ عن مساعدتنا؟',
    good: 'نعم',
    bad: 'لا',
    why: 'لماذا؟ وما الذي يمكننا تحسينه؟',
  },
  he: {
    ask: 'נשמח לדעת עד כמה היית מרוצה. זה לוקח חצי דקה:',
    title: 'איך היינו?',
    thumbs: 'האם העזרה שלנו הועילה לך?',
    good: 'כן',
    bad: 'לא',
    why: 'מדוע? מה נוכל לשפר?',
  },
}

/** The words of a language (BCP 47): `de-AT` gets German, one that is not here English. */
export function satisfactionWordsOf(language: string): SatisfactionWords {
  return lists[new Intl.Locale(language).language] ?? en
}
