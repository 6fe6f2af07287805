import { baseOf, directionOf, numberLocaleOf } from '../lib/languages.ts'
import { type Say, speaker, type Translation } from '../lib/sentences.ts'

/** What a help centre says in English; the other lists hold the same sentences, in the same order. */
const en = {
  help: 'Help centre',
  // Above the search box
  howCanWeHelp: 'How can we help?',
  // What the search box is for, and what stands in it
  searchLabel: 'Search the help centre',
  searchExample: 'Ask a question',
  search: 'Search',
  skip: 'Skip to the content',
  articles: 'Articles',
  // The path to an article, above it
  youAreHere: 'You are here',
  updated: 'Updated on {date}',
  otherArticles: 'All articles',
  moreArticles: 'More articles',
  noArticles: 'There is nothing here yet. Please come back soon.',
  found: { one: '{count} article about “{question}”', other: '{count} articles about “{question}”' },
  nothingFound: 'Nothing found about “{question}”',
  nothingFoundWhy: 'Other words may help. These articles are the newest:',
  notThere: 'This page is not there',
  notThereWhy: 'It may have been moved or taken down. A search may find what you are looking for.',
  notThereHere: 'It may have been moved or taken down, or the address may not be complete.',
} as const

type Words = Translation<typeof en>

const de: Words = {
  help: 'Hilfe',
  howCanWeHelp: 'Wie können wir helfen?',
  searchLabel: 'Hilfe durchsuchen',
  searchExample: 'Stellen Sie eine Frage',
  search: 'Suchen',
  skip: 'Zum Inhalt springen',
  articles: 'Artikel',
  youAreHere: 'Sie sind hier',
  updated: 'Aktualisiert am {date}',
  otherArticles: 'Alle Artikel',
  moreArticles: 'Weitere Artikel',
  noArticles: 'Hier steht noch nichts. Bitte schauen Sie bald wieder vorbei.',
  found: { one: '{count} Artikel zu „{question}“', other: '{count} Artikel zu „{question}“' },
  nothingFound: 'Nichts gefunden zu „{question}“',
  nothingFoundWhy: 'Vielleicht helfen andere Wörter. Das sind die neuesten Artikel:',
  notThere: 'Diese Seite gibt es nicht',
  notThereWhy: 'Vielleicht wurde sie verschoben oder entfernt. Die Suche findet möglicherweise, was Sie brauchen.',
  notThereHere: 'Vielleicht wurde sie verschoben oder entfernt, oder die Adresse ist nicht vollständig.',
}

const fr: Words = {
  help: 'Centre d’aide',
  howCanWeHelp: 'Comment pouvons-nous vous aider ?',
  searchLabel: 'Rechercher dans le centre d’aide',
  searchExample: 'Posez une question',
  search: 'Rechercher',
  skip: 'Aller au contenu',
  articles: 'Tous les sujets',
  youAreHere: 'Vous êtes ici',
  updated: 'Mis à jour le {date}',
  otherArticles: 'Tous les articles',
  moreArticles: 'Plus d’articles',
  noArticles: 'Il n’y a encore rien ici. Revenez bientôt.',
  found: {
    one: '{count} article sur « {question} »',
    many: '{count} articles sur « {question} »',
    other: '{count} articles sur « {question} »',
  },
  nothingFound: 'Rien trouvé sur « {question} »',
  nothingFoundWhy: 'D’autres mots aideront peut-être. Voici les articles les plus récents :',
  notThere: 'Cette page n’existe pas',
  notThereWhy: 'Elle a peut-être été déplacée ou retirée. Une recherche trouvera peut-être ce qu’il vous faut.',
  notThereHere: 'Elle a peut-être été déplacée ou retirée, ou l’adresse est incomplète.',
}

const es: Words = {
  help: 'Centro de ayuda',
  howCanWeHelp: '¿Cómo podemos ayudarle?',
  searchLabel: 'Buscar en el centro de ayuda',
  searchExample: 'Haga una pregunta',
  search: 'Buscar',
  skip: 'Ir al contenido',
  articles: 'Artículos',
  youAreHere: 'Está aquí',
  updated: 'Actualizado el {date}',
  otherArticles: 'Todos los artículos',
  moreArticles: 'Más artículos',
  noArticles: 'Aquí todavía no hay nada. Vuelva pronto.',
  found: {
    one: '{count} artículo sobre «{question}»',
    many: '{count} artículos sobre «{question}»',
    other: '{count} artículos sobre «{question}»',
  },
  nothingFound: 'No se ha encontrado nada sobre «{question}»',
  nothingFoundWhy: 'Quizá sirvan otras palabras. Estos son los artículos más recientes:',
  notThere: 'Esta página no existe',
  notThereWhy: 'Puede que se haya movido o retirado. Una búsqueda quizá encuentre lo que necesita.',
  notThereHere: 'Puede que se haya movido o retirado, o que la dirección no esté completa.',
}

const it: Words = {
  help: 'Centro assistenza',
  howCanWeHelp: 'Come possiamo aiutarla?',
  searchLabel: 'Cerca nel centro assistenza',
  searchExample: 'Faccia una domanda',
  search: 'Cerca',
  skip: 'Vai al contenuto',
  articles: 'Articoli',
  youAreHere: 'Lei è qui',
  updated: 'Aggiornato il {date}',
  otherArticles: 'Tutti gli articoli',
  moreArticles: 'Altri articoli',
  noArticles: 'Qui non c’è ancora nulla. Torni a trovarci presto.',
  found: {
    one: '{count} articolo su «{question}»',
    many: '{count} articoli su «{question}»',
    other: '{count} articoli su «{question}»',
  },
  nothingFound: 'Nessun risultato per «{question}»',
  nothingFoundWhy: 'Forse altre parole possono aiutare. Questi sono gli articoli più recenti:',
  notThere: 'Questa pagina non esiste',
  notThereWhy: 'Potrebbe essere stata spostata o rimossa. Una ricerca potrebbe trovare ciò che le serve.',
  notThereHere: 'Potrebbe essere stata spostata o rimossa, oppure l’indirizzo non è completo.',
}

const nl: Words = {
  help: 'Helpcentrum',
  howCanWeHelp: 'Hoe kunnen we helpen?',
  searchLabel: 'Zoeken in het helpcentrum',
  searchExample: 'Stel een vraag',
  search: 'Zoeken',
  skip: 'Naar de inhoud',
  articles: 'Artikelen',
  youAreHere: 'U bent hier',
  updated: 'Bijgewerkt op {date}',
  otherArticles: 'Alle artikelen',
  moreArticles: 'Meer artikelen',
  noArticles: 'Hier staat nog niets. Kom gauw terug.',
  found: { one: '{count} artikel over ‘{question}’', other: '{count} artikelen over ‘{question}’' },
  nothingFound: 'Niets gevonden over ‘{question}’',
  nothingFoundWhy: 'Misschien helpen andere woorden. Dit zijn de nieuwste artikelen:',
  notThere: 'Deze pagina bestaat niet',
  notThereWhy: 'Misschien is ze verplaatst of verwijderd. Met zoeken vindt u wellicht wat u nodig hebt.',
  notThereHere: 'Misschien is ze verplaatst of verwijderd, of is het adres niet volledig.',
}

const pl: Words = {
  help: 'Centrum pomocy',
  howCanWeHelp: 'Jak możemy pomóc?',
  searchLabel: 'Szukaj w centrum pomocy',
  searchExample: 'Proszę zadać pytanie',
  search: 'Szukaj',
  skip: 'Przejdź do treści',
  articles: 'Artykuły',
  youAreHere: 'Jesteś tutaj',
  updated: 'Zaktualizowano: {date}',
  otherArticles: 'Wszystkie artykuły',
  moreArticles: 'Więcej artykułów',
  noArticles: 'Jeszcze nic tu nie ma. Zapraszamy wkrótce.',
  found: {
    one: '{count} artykuł na temat „{question}”',
    few: '{count} artykuły na temat „{question}”',
    many: '{count} artykułów na temat „{question}”',
    other: '{count} artykułu na temat „{question}”',
  },
  nothingFound: 'Nic nie znaleziono na temat „{question}”',
  nothingFoundWhy: 'Być może pomogą inne słowa. Oto najnowsze artykuły:',
  notThere: 'Nie ma takiej strony',
  notThereWhy: 'Mogła zostać przeniesiona lub usunięta. Być może pomoże wyszukiwarka.',
  notThereHere: 'Mogła zostać przeniesiona lub usunięta albo adres jest niepełny.',
}

const pt: Words = {
  help: 'Centro de ajuda',
  howCanWeHelp: 'Como podemos ajudar?',
  searchLabel: 'Pesquisar no centro de ajuda',
  searchExample: 'Faça uma pergunta',
  search: 'Pesquisar',
  skip: 'Ir para o conteúdo',
  articles: 'Artigos',
  youAreHere: 'Está aqui',
  updated: 'Atualizado em {date}',
  otherArticles: 'Todos os artigos',
  moreArticles: 'Mais artigos',
  noArticles: 'Ainda não há nada aqui. Volte em breve.',
  found: {
    one: '{count} artigo sobre “{question}”',
    many: '{count} artigos sobre “{question}”',
    other: '{count} artigos sobre “{question}”',
  },
  nothingFound: 'Nada encontrado sobre “{question}”',
  nothingFoundWhy: 'Talvez outras palavras ajudem. Estes são os artigos mais recentes:',
  notThere: 'Esta página não existe',
  notThereWhy: 'Pode ter sido movida ou retirada. Uma pesquisa talvez encontre o que procura.',
  notThereHere: 'Pode ter sido movida ou retirada, ou o endereço não está completo.',
}

const sv: Words = {
  help: 'Hjälpcenter',
  howCanWeHelp: 'Hur kan vi hjälpa dig?',
  searchLabel: 'Sök i hjälpcentret',
  searchExample: 'Ställ en fråga',
  search: 'Sök',
  skip: 'Hoppa till innehållet',
  articles: 'Artiklar',
  youAreHere: 'Du är här',
  updated: 'Uppdaterad {date}',
  otherArticles: 'Alla artiklar',
  moreArticles: 'Fler artiklar',
  noArticles: 'Här finns inget än. Titta gärna in snart igen.',
  found: { one: '{count} artikel om ”{question}”', other: '{count} artiklar om ”{question}”' },
  nothingFound: 'Inget hittades om ”{question}”',
  nothingFoundWhy: 'Andra ord kanske hjälper. Det här är de nyaste artiklarna:',
  notThere: 'Sidan finns inte',
  notThereWhy: 'Den kan ha flyttats eller tagits bort. En sökning hittar kanske det du behöver.',
  notThereHere: 'Den kan ha flyttats eller tagits bort, eller så är adressen inte fullständig.',
}

const da: Words = {
  help: 'Hjælpecenter',
  howCanWeHelp: 'Hvordan kan vi hjælpe?',
  searchLabel: 'Søg i hjælpecenteret',
  searchExample: 'Stil et spørgsmål',
  search: 'Søg',
  skip: 'Gå til indholdet',
  articles: 'Artikler',
  youAreHere: 'Du er her',
  updated: 'Opdateret {date}',
  otherArticles: 'Alle artikler',
  moreArticles: 'Flere artikler',
  noArticles: 'Her er ikke noget endnu. Kig gerne forbi igen snart.',
  found: { one: '{count} artikel om „{question}“', other: '{count} artikler om „{question}“' },
  nothingFound: 'Intet fundet om „{question}“',
  nothingFoundWhy: 'Andre ord hjælper måske. Her er de nyeste artikler:',
  notThere: 'Siden findes ikke',
  notThereWhy: 'Den kan være flyttet eller fjernet. En søgning finder måske det, du har brug for.',
  notThereHere: 'Den kan være flyttet eller fjernet, eller adressen er ikke fuldstændig.',
}

const ja: Words = {
  help: 'ヘルプセンター',
  howCanWeHelp: '何かお困りですか',
  searchLabel: 'ヘルプセンターを検索',
  searchExample: '質問を入力',
  search: '検索',
  skip: '本文へ移動',
  articles: '記事',
  youAreHere: '現在の場所',
  updated: '{date}に更新',
  otherArticles: 'すべての記事',
  moreArticles: 'ほかの記事',
  noArticles: 'まだ何もありません。またお越しください。',
  found: { other: '「{question}」に関する記事 {count} 件' },
  nothingFound: '「{question}」に関する記事は見つかりませんでした',
  nothingFoundWhy: '別の言葉でお試しください。新しい記事はこちらです：',
  notThere: 'このページはありません',
  notThereWhy: '移動または削除された可能性があります。検索で見つかるかもしれません。',
  notThereHere: '移動または削除されたか、アドレスが正しくない可能性があります。',
}

const ar: Words = {
  help: 'مركز المساعدة',
  howCanWeHelp: 'كيف يمكننا مساعدتك؟',
  searchLabel: 'البحث في مركز المساعدة',
  searchExample: 'اطرح سؤالًا',
  search: 'بحث',
  skip: 'الانتقال إلى المحتوى',
  articles: 'المقالات',
  youAreHere: 'أنت هنا',
  updated: 'آخر تحديث في {date}',
  otherArticles: 'جميع المقالات',
  moreArticles: 'المزيد من المقالات',
  noArticles: 'لا يوجد شيء هنا بعد. يُرجى العودة قريبًا.',
  found: {
    zero: 'لا توجد مقالات عن «{question}»',
    one: 'مقال واحد عن «{question}»',
    two: 'مقالان عن «{question}»',
    few: '{count} مقالات عن «{question}»',
    many: '{count} مقالًا عن «{question}»',
    other: '{count} مقال عن «{question}»',
  },
  nothingFound: 'لم يُعثر على شيء عن «{question}»',
  nothingFoundWhy: 'قد تفيد كلمات أخرى. هذه أحدث المقالات:',
  notThere: 'هذه الصفحة غير موجودة',
  notThereWhy: 'ربما نُقلت أو أُزيلت. قد يجد البحث ما تحتاج إليه.',
  notThereHere: 'ربما نُقلت أو أُزيلت، أو أن العنوان غير مكتمل.',
}

const he: Words = {
  help: 'מרכז העזרה',
  howCanWeHelp: 'איך נוכל לעזור?',
  searchLabel: 'חיפוש במרכז העזרה',
  searchExample: 'אפשר לשאול שאלה',
  search: 'חיפוש',
  skip: 'דילוג לתוכן',
  articles: 'מאמרים',
  youAreHere: 'המיקום שלך',
  updated: 'עודכן בתאריך {date}',
  otherArticles: 'כל המאמרים',
  moreArticles: 'מאמרים נוספים',
  noArticles: 'אין כאן עדיין דבר. נשמח לראותך שוב בקרוב.',
  found: {
    one: 'מאמר אחד על „{question}”',
    two: 'שני מאמרים על „{question}”',
    other: '{count} מאמרים על „{question}”',
  },
  nothingFound: 'לא נמצא דבר על „{question}”',
  nothingFoundWhy: 'אולי מילים אחרות יעזרו. אלה המאמרים החדשים ביותר:',
  notThere: 'הדף הזה לא קיים',
  notThereWhy: 'ייתכן שהועבר או הוסר. אולי חיפוש ימצא את מה שדרוש לך.',
  notThereHere: 'ייתכן שהועבר או הוסר, או שהכתובת אינה מלאה.',
}

/** The languages that help centres speak, by their tag: those of hosted forms. */
export const helpWords: Readonly<Record<string, Words>> = { en, de, fr, es, it, nl, pl, pt, sv, da, ja, ar, he }

/** A language as a help centre is written in it. */
export interface HelpWording {
  /** BCP 47, for `lang`. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  readonly say: Say<typeof en>
  /** A day, written out. */
  date(at: string): string
}

/** The words of a help centre in `language` (BCP 47); English ones where there is no list (decisions §12). */
export function helpWordsOf(language: string): HelpWording {
  const base = baseOf(language)
  if (base === null) return helpWordsOf('en')
  const list = Object.hasOwn(helpWords, base) ? base : 'en'
  const locale = numberLocaleOf(language)
  const dates = new Intl.DateTimeFormat(list === 'en' && base !== 'en' ? 'en' : locale, {
    dateStyle: 'long',
    timeZone: 'UTC',
  })
  return {
    language,
    direction: directionOf(language),
    say: speaker<typeof en>(helpWords[list] as Words, list, locale),
    date: (at) => dates.format(new Date(at)),
  }
}
