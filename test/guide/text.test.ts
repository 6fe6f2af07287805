import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Command } from 'commander'
import manifest from '../../package.json'
import { commandTree } from '../../src/cli/index.ts'
import { s3Variables, variables } from '../../src/config/variables.ts'
import { loadConfig } from '../../src/config.ts'
import { chapters, frontPage } from '../../src/guide/chapters.ts'
import { layersAsText } from '../support/sources/layers.ts'
import { blocksOf } from '../support/sources/text-blocks.ts'

const root = join(import.meta.dir, '../..')
const folder = join(root, 'src/guide')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** The README and the guide, by the path from the root of the repository. */
const texts: readonly (readonly [path: string, text: string])[] = [
  ['README.md', readme],
  ...[frontPage, ...chapters].map(({ slug, markdown }) => [`src/guide/${slug || 'README'}.md`, markdown] as const),
]

const chapter = (slug: string) => chapters.find((one) => one.slug === slug)?.markdown ?? ''

/** The cells of a text's tables whose heading begins with `heading`, row by row. */
function tableOf(text: string, heading: string): string[][] {
  const tables = text.split(`| ${heading} |`).slice(1)
  const rows = tables.flatMap(
    (table) =>
      table
        .split(/\n(?!\|)/)[0]
        ?.split('\n')
        .slice(2) ?? [],
  )
  return rows.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

describe('the README', () => {
  test('is short: what one reads first, and where the rest is', () => {
    expect(readme.split('\n').length).toBeLessThanOrEqual(200)
  })

  test.each(chapters.map(({ slug, title }) => [slug, title]))('and the front page lead to %s', (slug, title) => {
    expect(readme).toContain(`- [${title}](src/guide/${slug}.md): `)
    expect(frontPage.markdown).toContain(`- [${title}](${slug}.md): `)
  })
})

describe('the guide on GitHub', () => {
  test('is all of its files, which all are pages', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.md'))
    expect(files.sort()).toEqual(['README.md', ...chapters.map(({ slug }) => `${slug}.md`)].sort())
  })

  test.each(texts)('%s links to what is there', (path, text) => {
    const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '')
    for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (target.startsWith('https://')) continue
      const [name = '', place] = target.split('#')
      const file = name === '' ? join(root, path) : join(root, path, '..', name)
      expect([target, existsSync(file)]).toEqual([target, true])
      if (place === undefined) continue
      const linked = readFileSync(file, 'utf8')
      const headings = [...linked.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      )
      expect([target, headings.includes(place)]).toEqual([target, true])
    }
  })

  test('has pictures that load quickly', () => {
    for (const name of readdirSync(join(folder, 'pictures'))) {
      expect([name, statSync(join(folder, 'pictures', name)).size < 150_000]).toEqual([name, true])
      expect(readme).toContain(`(src/guide/pictures/${name})`)
    }
  })
})

/** Which test goes through the code of a text, all of it and in its order: one of its name, unless it is named here. */
const TRIED_BY: Readonly<Record<string, string>> = {
  'README.md': 'test/guide/commands/readme.test.ts',
  'src/guide/backup-and-upgrade.md': 'test/guide/commands/sqlite/backup-and-upgrade.test.ts',
  'src/guide/postgresql.md': 'test/postgres/guide.postgres.ts',
  'src/guide/growing.md': 'test/postgres/growing.postgres.ts',
}

test.each(texts)('code in %s is run by a test', (path) => {
  if (blocksOf(path).every(({ language }) => language === '')) return
  const file = TRIED_BY[path] ?? `test/guide/commands/${basename(path, '.md')}.test.ts`
  expect([file, existsSync(join(root, file)) && readFileSync(join(root, file), 'utf8').includes(path)]).toEqual([
    file,
    true,
  ])
})

/** Every call of `frontdesk` in a text: in blocks for a shell with all that follows, else as it is named. */
function callsIn(text: string): string[][] {
  const blocks = [...text.matchAll(/^```(?:sh|console)\n([\s\S]*?)^```/gm)].map(([, block = '']) => block)
  const lines = blocks.flatMap((block) => block.replace(/\\\n/g, ' ').split('\n'))
  const shell = lines.flatMap((line) => /^(?:\$ )?frontdesk (?!listening |takes )(.*)$/.exec(line)?.[1] ?? [])
  const prose = text.replace(/^```[\s\S]*?^```/gm, '')
  const named = [...prose.matchAll(/`frontdesk ([a-z][^`]*)`/g)].map(([, call = '']) => call)
  return [...shell, ...named].map(
    (call) => call.match(/'[^']*'|\$\([^)]*\)\S*|"[^"]*"|#.*|\S+/g)?.filter((word) => !word.startsWith('#')) ?? [],
  )
}

const tree: Command = await commandTree()

/** What is wrong with a call, as the command line would find it before it does anything. */
function faultOf(words: readonly string[]): string | null {
  let command = tree
  let at = 0
  for (; at < words.length; at += 1) {
    const next = command.commands.find((one) => one.name() === words[at])
    if (!next) break
    command = next
  }
  if (command.commands.length > 0 && command.registeredArguments.length === 0) return `${words[at]}: no such command`
  for (const word of words.slice(at)) {
    const flag = /^--[a-z-]+/.exec(word)?.[0]
    const isKnown = [command, tree].some(({ options }) => options.some(({ long }) => long === flag))
    if (flag && flag !== '--help' && !isKnown) return `${flag}: no such option`
  }
  return null
}

describe('commands and variables', () => {
  test.each(texts)('in %s are there, with the options they are given', (_, text) => {
    for (const words of callsIn(text)) expect([words.join(' '), faultOf(words)]).toEqual([words.join(' '), null])
  })

  test('are looked at in every form in which they are written', () => {
    expect(texts.flatMap(([, text]) => callsIn(text)).length).toBeGreaterThan(40)
    expect(callsIn('```sh\nfrontdesk key create --nmae x \\\n  --scopes y   # why\n```').map(faultOf)).toEqual([
      '--nmae: no such option',
    ])
    expect(callsIn('As `frontdesk kye list` says').map(faultOf)).toEqual(['kye: no such command'])
  })

  test.each(texts)('of the environment in %s are read by the service', (path, text) => {
    // A secret of a site's own server.
    const others = path.endsWith('chat-and-help.md') ? ['FRONTDESK_CHAT_SECRET'] : []
    const tests = path.endsWith('contributing.md') ? ['FRONTDESK_TEST_DATABASE_URL'] : []
    const known: readonly string[] = [...variables, ...s3Variables, ...others, ...tests]
    const named = [...text.matchAll(/\b(?:FRONTDESK|AWS)_[A-Z0-9_]*[A-Z0-9]\b/g)].map(([name]) => name)
    expect(named.filter((name) => !known.includes(name))).toEqual([])
  })

  test('of the environment are all in the table, with their defaults', () => {
    const rows = tableOf(chapter('configuring'), 'Variable')
    const defaults = new Map<string, string>()
    for (const [names = '', given = ''] of rows) {
      const values = given.split(', ')
      const each = names.split(', ').map((name) => name.replaceAll('`', ''))
      for (const [index, name] of each.entries())
        defaults.set(name, (values[index] ?? values[0] ?? '').replaceAll('`', ''))
    }
    expect([...defaults.keys()].sort()).toEqual([...variables].sort())
    const config = loadConfig({}, {})
    const { webhook } = config
    const expected: Record<string, string> = {
      FRONTDESK_DATA: config.dataDir,
      FRONTDESK_HOST: config.host,
      FRONTDESK_PORT: String(config.port),
      FRONTDESK_RATE_LIMIT: String(config.rateLimit),
      FRONTDESK_PUBLIC_RATE_LIMIT: String(config.publicRateLimit),
      FRONTDESK_MIN_FREE_MB: String(config.minFree / 1_000_000),
      FRONTDESK_WEBHOOK_WINDOW_MS: String(webhook.windowMs),
      FRONTDESK_WEBHOOK_RETRY_BASE_MS: String(webhook.retryBaseMs),
      FRONTDESK_WEBHOOK_TIMEOUT_MS: String(webhook.timeoutMs),
      FRONTDESK_WEBHOOK_ALLOW_PRIVATE: String(webhook.allowPrivate),
    }
    const isChosen = ([name, value]: [string, string]) =>
      /^(\.\/data|127\.0\.0\.1|\d+|false)$/.test(value) && !/SMTP|METRICS/.test(name)
    expect(Object.fromEntries([...defaults].filter(isChosen))).toEqual(expected)
  })
})

describe('the chapter for who changes something', () => {
  const contributing = chapter('contributing')

  test('names files and folders that are there', () => {
    const named = [...contributing.matchAll(/`((?:src|test)\/[\w./-]+|[a-z-]+\/[\w./-]+\.ts|[a-z]+\/[a-z/-]+\/)`/g)]
    const paths = named.map(([, path = '']) => path).filter((path) => !/(^|\/)x(\.ts|\/|$)/.test(path))
    expect(paths.length).toBeGreaterThan(20)
    const missing = paths.filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, 'src', path)))
    expect(missing).toEqual([])
  })

  test('shows the folders of src, all of them', () => {
    const places = tableOf(contributing, 'In `src/`').map(([place = '']) => place)
    const shown = new Set(places.flatMap((place) => [...place.matchAll(/`([a-z]+)\/`/g)].map(([, name]) => name)))
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(folders.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([])
  })

  test('shows which room uses which', () => {
    expect(contributing).toContain(`\`\`\`\n${layersAsText()}\`\`\`\n`)
  })

  test('says why each dependency is there', () => {
    const rows = tableOf(contributing, 'Package').map((cells) => cells.join(' '))
    // Packages of one scope stand in one row, the later ones by how they end.
    const names = Object.keys(manifest.dependencies).map((name) => name.replace(/^@zxcvbn-ts\/language/, ''))
    expect(names.filter((name) => !rows.some((row) => row.includes(name)))).toEqual([])
  })

  test('names scripts that there are', () => {
    for (const [path, text] of texts) {
      const scripts = [...text.matchAll(/\bbun(?:@[\d.]+)? run ([a-z:]+)/g)].map(([, name = '']) => name)
      expect([path, scripts.filter((name) => !Object.hasOwn(manifest.scripts, name))]).toEqual([path, []])
    }
  })
})
