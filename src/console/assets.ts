import theme from '../hosted/styles/theme.css' with { type: 'text' }
import { file } from '../http/answers/file.ts'
import { bundled } from '../lib/assets/bundled.ts' with { type: 'macro' }
import access from './styles/access.css' with { type: 'text' }
import alerts from './styles/alerts.css' with { type: 'text' }
import articles from './styles/articles.css' with { type: 'text' }
import attention from './styles/attention.css' with { type: 'text' }
import automation from './styles/automation.css' with { type: 'text' }
import builder from './styles/builder.css' with { type: 'text' }
import cannedReplies from './styles/canned-replies.css' with { type: 'text' }
import chat from './styles/chat.css' with { type: 'text' }
import code from './styles/code.css' with { type: 'text' }
import components from './styles/components.css' with { type: 'text' }
import contacts from './styles/contacts.css' with { type: 'text' }
import desk from './styles/desk.css' with { type: 'text' }
import forced from './styles/forced.css' with { type: 'text' }
import formLanguages from './styles/form-languages.css' with { type: 'text' }
import forms from './styles/forms.css' with { type: 'text' }
import frame from './styles/frame.css' with { type: 'text' }
import inbox from './styles/inbox.css' with { type: 'text' }
import inboxList from './styles/inbox-list.css' with { type: 'text' }
import logic from './styles/logic.css' with { type: 'text' }
import menus from './styles/menus.css' with { type: 'text' }
import outgoing from './styles/outgoing.css' with { type: 'text' }
import palette from './styles/palette.css' with { type: 'text' }
import people from './styles/people.css' with { type: 'text' }
import pictures from './styles/pictures.css' with { type: 'text' }
import replies from './styles/replies.css' with { type: 'text' }
import reports from './styles/reports.css' with { type: 'text' }
import resultFigures from './styles/result-figures.css' with { type: 'text' }
import results from './styles/results.css' with { type: 'text' }
import sending from './styles/sending.css' with { type: 'text' }
import shortcuts from './styles/shortcuts.css' with { type: 'text' }
import tables from './styles/tables.css' with { type: 'text' }
import ticketFiling from './styles/ticket-filing.css' with { type: 'text' }
import tokens from './styles/tokens.css' with { type: 'text' }

/** Built with the program, so the executable carries them. `console` is on every page, the others where a page names them. */
const scripts = {
  console: bundled('console/client/console'),
  builder: bundled('console/client/builder'),
  'docs-key': bundled('console/client/docs-key'),
  look: bundled('console/client/look'),
  passkeys: bundled('console/client/passkeys'),
  desk: bundled('console/client/desk'),
  articles: bundled('console/client/articles'),
  'article-order': bundled('console/client/article-order'),
} as const

export type ScriptName = keyof typeof scripts

/** What comes later wins. */
const styleSheet = [
  theme,
  tokens,
  frame,
  components,
  forms,
  formLanguages,
  tables,
  code,
  menus,
  inbox,
  inboxList,
  attention,
  automation,
  cannedReplies,
  shortcuts,
  palette,
  pictures,
  replies,
  outgoing,
  desk,
  sending,
  ticketFiling,
  contacts,
  articles,
  chat,
  results,
  access,
  people,
  alerts,
  resultFigures,
  reports,
  builder,
  logic,
  forced,
].join('\n')

const FOREVER = { 'cache-control': 'public, max-age=31536000, immutable' }

const version = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 12)

const scriptPaths = new Map(
  Object.entries(scripts).map(([name, script]) => [name, `/console/assets/${name}.js?v=${version(script)}`]),
)

/** Where a page finds a script; another address whenever it changes. */
export function scriptPath(name: ScriptName): string {
  return scriptPaths.get(name) as string
}

export const stylePath = `/console/assets/console.css?v=${version(styleSheet)}`

/** What serves each of them, by its path. */
export const assets: ReadonlyMap<string, (request: Request) => Promise<Response>> = new Map([
  ['/console/assets/console.css', file('text/css; charset=utf-8', async () => styleSheet, FOREVER)],
  ...Object.entries(scripts).map(
    ([name, script]) =>
      [`/console/assets/${name}.js`, file('text/javascript; charset=utf-8', async () => script, FOREVER)] as const,
  ),
])
