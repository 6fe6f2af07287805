import { describe, expect, test } from 'bun:test'
import { openApiDocument } from '../../src/app.ts'
import { loadConfig } from '../../src/config.ts'
import { chapters } from '../../src/guide/chapters.ts'
import { eventNames } from '../../src/kinds/events.ts'
import { operationsOf } from '../support/api/conformance.ts'

const document = openApiDocument(loadConfig({}, {}))
const operations = operationsOf(document).map(
  ({ method, path, operationId }) => `\`${method} ${path}\` (\`${operationId}\`)`,
)

const { markdown = '' } = chapters.find(({ slug }) => slug === 'changelog') ?? {}
const [promise = '', ...entries] = markdown.split(/^(?=## \d)/m)
const dates = entries.map((entry) => entry.slice(3, entry.indexOf('\n')))
const entered = entries.join('').replaceAll(/\s+/g, ' ')

describe('the changelog', () => {
  test('has an entry for every operation and every kind of event', () => {
    const named = [...operations, ...eventNames.map((name) => `\`${name}\``)]
    const missing = named.filter((name) => !entered.includes(name))
    const advice =
      'write what each of these is for into src/guide/changelog.md, on top or under the newest date, as it stands here'
    expect({ advice, missing }).toEqual({ advice, missing: [] })
  })

  test('names no operation that there is not', () => {
    const named = entered.match(/`[A-Z]+ \/[^`]*` \(`\w+`\)/g) ?? []
    expect(named.filter((name) => !operations.includes(name))).toEqual([])
  })

  test('has its entries by days, the newest first', () => {
    expect(dates.length).toBeGreaterThan(4)
    for (const date of dates) expect(new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10)).toBe(date)
    expect(dates).toEqual([...new Set(dates)].sort().reverse())
  })

  test('says that nothing is deprecated for as long as the document marks nothing', () => {
    const isMarked = JSON.stringify(document).includes('"deprecated":true')
    expect(promise.includes('Nothing of the API is deprecated')).toBe(!isMarked)
  })
})
