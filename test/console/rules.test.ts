import { describe, expect, test } from 'bun:test'
import { sayFormRule } from '../../src/console/forms/builder/rules.ts'
import { furtherSentences } from '../../src/console/further-rules.ts'
import { sentences } from '../../src/console/rules.ts'
import { consoleWordingOf, consoleWordLists } from '../../src/console/words/index.ts'
import { refusalsIn } from '../support/refusals-in-source.ts'

const pages = [...new Bun.Glob('src/console/**/*.ts').scanSync()].filter((path) => !path.includes('/client/'))
const refusals = await refusalsIn(pages)

/** Where programs and respondents are refused things, whom no page of the console speaks for. */
const OTHERS = [
  'src/http/body.ts',
  'src/http/query.ts',
  'src/http/validation.ts',
  'src/lib/read.ts',
  'src/forms/question-types/answers.ts',
  'src/forms/question-types/answering.ts',
  'src/forms/question-types/matrix.ts',
  'src/forms/question-types/ranking.ts',
  'src/forms/question-types/files.ts',
]

/** What else no page can cause. */
const NEVER = new Set([
  // Written in `errors.ts` of what is given to it
  '‹place›: ‹rule›',
  // URLs, which the command line alone takes
  'a URL holds no password: pipe it into --password-stdin',
  'must be a URL such as ‹kind›s://user@‹kind›.example.com',
  'names no host',
  'names no user, as in user@host',
  'nothing may follow host and port',
  // Said by the page itself
  "‹unknown› is no placeholder: use ‹placeholders.map(written).join(', ')›",
  // By scripts
  'unknown field ‹quote(key)›',
  'body: must be well-formed JSON',
  // Answers of respondents
  '‹quote(key)› is not a visible contact field of this question',
  'at least ‹selections(min)› required',
  'at most ‹selections(max)› allowed',
  'either an option or the other text can be given, not both',
  'the question takes no other text, such as ‹quote(given)›',
  'the value of scale ‹scale› must be between ‹scaleStart› and ‹scaleEnd›',
])

/** Things that may be put in: one of them makes a refusal as operations write it. */
const THINGS = ['7', 'x', 'x y', '25 MiB', 'or http:// ', 'the HTML']

const german = consoleWordingOf('de')
/** The builder's words come first, and then everybody's. */
const said = (rule: string) => sayFormRule(german.say, rule)
/** A rule that there are no words for is said as it is. */
const isEnglish = (rule: string) =>
  said(rule)
    .toLowerCase()
    .startsWith(rule.toLowerCase().replace(/[.!?…]$/, ''))

describe('what operations refuse', () => {
  test('is looked for where it is', () => {
    expect(refusals.length).toBeGreaterThan(150)
    expect(refusals.map(({ text }) => text)).toContain('an inbox with this address already exists')
    expect(refusals.map(({ text }) => text)).toContain('must be between ‹min› and ‹max›')
  })

  test.each(
    refusals
      .filter(({ text, files }) => !NEVER.has(text) && files.some((file) => !OTHERS.includes(file)))
      .map(({ text, files }) => [text, files] as const),
  )('is said in the reader’s language: %s', (text) => {
    const examples = THINGS.map((thing) =>
      text.replace(/‹([^›]*)›/g, (_, expression: string) =>
        expression.startsWith('quote(') ? JSON.stringify(thing) : thing,
      ),
    )
    expect(examples.filter(isEnglish)).not.toEqual(examples)
  })

  test.each([
    ['must be at most 500 characters', 'Darf höchstens 500 Zeichen haben.'],
    ['must be between 1 and 10', 'Muss von 1 bis 10 sein.'],
    ['must be 1 to 320 characters', 'Muss 1 bis 320 Zeichen haben und darf nicht leer sein.'],
    ['must not be empty', 'Darf nicht leer sein.'],
    [
      'the reply was not sent: the mail server refused it: 550 5.1.1 <b>No such user</b>',
      'Die Antwort wurde nicht gesendet. Der Mailserver hat sie abgelehnt: „550 5.1.1 <b>No such user</b>“.',
    ],
    ['attachments: must be at most 25 MiB together', 'Dateien dürfen zusammen höchstens 25 MiB groß sein.'],
  ])('%s: %s', (rule, sentence) => expect(said(rule)).toBe(sentence))

  test('without words of its own is said as it is', () => {
    expect(said('must be nothing of the kind')).toBe('Must be nothing of the kind.')
  })
})

test.each([...sentences, ...furtherSentences])('the groups of %p are the places of %s', (pattern, word) => {
  const groups = [...pattern.source.matchAll(/\(\?<(\w+)>/g)].map(([, name]) => name as string)
  for (const words of Object.values(consoleWordLists)) {
    const places = [...String(words[word]).matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
    expect([...new Set(places)].filter((place) => !groups.includes(place))).toEqual([])
  }
})
