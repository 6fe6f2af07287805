import type { ArticleDraft, DraftSeen, Writing, Written } from '../../articles/drafts.ts'
import { saveDraft } from '../../articles/drafts.ts'
import { type Article, ArticleInput } from '../../articles/model.ts'
import { invalid, notFound, rule } from '../../errors.ts'
import { checkValue } from '../../http/requests/validation.ts'
import { articleFormats } from '../../kinds/articles.ts'
import { isUuid, newId } from '../../lib/ids.ts'
import { readFields, readInteger, readString } from '../../lib/input/read.ts'
import type { FormFields } from '../form-fields.ts'
import { refuse } from '../refusal.ts'
import type { Visit } from '../visit.ts'

/** What a script may send of one field, in characters; operations say what may be kept. */
export const MAX_TYPED = 1024 * 1024

/** What a form says about an article, as it was typed. */
export function writingIn(sent: FormFields): Writing {
  return {
    slug: sent.text('slug'),
    title: sent.text('title'),
    content: sent.text('content'),
    format: formatOf(sent.text('format') || 'markdown'),
    canonicalUrl: sent.text('canonicalUrl'),
  }
}

/** What a form says about an article, as the API's body has it. Throws as that does. */
export function articleInput({ title, content, format, canonicalUrl }: Writing): ArticleInput {
  return checkValue(ArticleInput, {
    title: title || null,
    content: content || null,
    format,
    canonicalUrl: canonicalUrl || null,
  })
}

/** What a form says of the draft that it was written from. */
export function seenIn(sent: FormFields): DraftSeen {
  const revision = Number(sent.exact('revision') || 0)
  return { revision: Number.isSafeInteger(revision) ? revision : 0, writer: sent.exact('writer').slice(0, 36) }
}

/** People write articles with a title and a content; one that came over the API without stays as it is. */
export function needs(article: Article | null, part: 'title' | 'content'): boolean {
  return article === null || Boolean(article[part])
}

/** Throws, with what people are told, where an article lacks what its form asks for. */
export function checkArticle({ wording: { say } }: Visit, input: ArticleInput, article: Article | null): void {
  if (needs(article, 'title') && !input.title) throw refuse(say('articleTitleMissing'), 'title')
  if (needs(article, 'content') && !input.content) throw refuse(say('articleContentMissing'), 'content')
}

/** Keeps what has been typed. Throws as `saveDraft`. */
export function keepWriting(visit: Visit, of: Written, writing: Writing, seen: DraftSeen): Promise<ArticleDraft> {
  const { sourceId = '' } = visit.params
  return visit.change((tx, caller) => saveDraft(tx, caller, sourceId, of, writing, { seen, newId: newId(visit.at) }))
}

/** Keeps what is being typed, as a script sends it now and then. Throws as `saveDraft`. */
export async function keepCall(visit: Visit, body: unknown): Promise<object> {
  const fields = [
    'article',
    'language',
    'draft',
    'revision',
    'writer',
    'slug',
    'title',
    'content',
    'format',
    'canonicalUrl',
  ] as const
  const sent = readFields(body, fields, 'body')
  const text = (name: Exclude<(typeof fields)[number], 'revision'>, max = MAX_TYPED) =>
    readString(sent[name] ?? '', max, name)
  const of =
    text('article') === ''
      ? { draft: draftId(text('draft')) }
      : { article: text('article'), language: text('language') }
  const writing = {
    slug: text('slug').trim(),
    title: text('title').trim(),
    content: text('content'),
    format: formatOf(text('format')),
    canonicalUrl: text('canonicalUrl').trim(),
  }
  const seen = { revision: readInteger(sent.revision, 'revision'), writer: text('writer', 36) }
  const { id, revision } = await keepWriting(visit, of, writing, seen)
  return { draft: id, revision }
}

/** The id that a page gave to the draft of a new article. */
export function draftId(text: string): string {
  if (!isUuid(text)) throw notFound('draft')
  return text.toLowerCase()
}

export function formatOf(text: string): Article['format'] {
  const format = articleFormats.find((one) => one === text)
  if (!format) throw invalid('format', rule('one_of', { choices: articleFormats.join(', ') }))
  return format
}

/** An address made of a title: `Zahlung & Rückgabe` → `zahlung-ruckgabe`. */
export function slugOf(title: string): string {
  const plain = title.replaceAll('ß', 'ss').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 200)
    .replace(/^-|-$/g, '')
}
