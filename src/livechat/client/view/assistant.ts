import type { Asked, Passage, Service } from '../service/api.ts'
import { create, createButton, createLink, one } from './dom.ts'
import { say } from './words.ts'

/** Articles that show: more would push the best one out of sight. */
const SHOWN = 3

/**
 * Looks through the articles before a person is asked. `handOver` gets what was asked when they do not answer it, or
 * when there are none; `showFrom` the newest question, behind which stands what was found. The way to a person stands
 * behind the field, where whoever asked by key comes next.
 */
export function assistant(service: Service, handOver: (text: string) => void, showFrom: (newest: HTMLElement) => void) {
  const element = one(document, '#asked')
  const person = one(document, '#person')
  let questions: string[] = []

  function clear(): void {
    questions = []
    element.hidden = true
    element.replaceChildren()
    person.replaceChildren()
  }

  function toPerson(): void {
    const text = questions.join('\n\n')
    clear()
    handOver(text)
  }

  async function ask(question: string): Promise<void> {
    questions.push(question)
    const asked = questions
    const count = questions.length
    show(create('p', 'searching', say('searching')))
    const answer = await service.ask(question)
    // Another question came, or somebody else was asked.
    if (asked !== questions || count !== questions.length) return
    if (answer.kind !== 'ok' || answer.body.passages.length === 0) toPerson()
    else {
      const toThem = createButton('secondary', say('talkToPerson'), toPerson)
      person.replaceChildren(create('span', '', say('didItHelp')), ' ', toThem)
      show(found(answer.body))
    }
  }

  function show(result: HTMLElement): void {
    element.hidden = false
    const bubbles = questions.map(bubble)
    element.replaceChildren(...bubbles, result)
    showFrom(bubbles.at(-1) ?? result)
  }

  function found({ passages, answer }: Asked): HTMLElement {
    const result = create('div', 'found')
    if (answer) {
      const cited = passages.filter(({ slug }) => answer.slugs.includes(slug))
      const text = create('div', 'bubble plain', answer.text)
      text.dir = 'auto'
      result.append(text, create('p', 'origin', say('writtenAutomatically')), articles(say('sources'), cited, false))
    }
    const rest = answer ? passages.filter(({ slug }) => !answer.slugs.includes(slug)) : passages
    if (rest.length > 0) result.append(articles(say('articlesFound'), rest.slice(0, SHOWN), true))
    return result
  }

  return { ask, clear, isAsking: () => questions.length > 0 }
}

function bubble(question: string): HTMLElement {
  const text = create('div', 'bubble plain', question)
  text.dir = 'auto'
  return create('div', 'message own ends', text)
}

function articles(title: string, passages: readonly Passage[], withExcerpt: boolean): HTMLElement {
  const list = create('ul', 'passages')
  for (const { title: name, excerpt, url } of passages) {
    const heading = create('span', 'title', name)
    heading.dir = 'auto'
    const link = createLink('passage', url, heading)
    if (withExcerpt) {
      const text = create('span', 'excerpt', excerpt)
      text.dir = 'auto'
      link.append(text)
    }
    link.append(create('span', 'sr', ` (${say('newTab')})`))
    list.append(create('li', '', link))
  }
  return create('div', 'articles', create('h2', '', title), list)
}
