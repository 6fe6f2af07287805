import { type Static, Type } from '@sinclair/typebox'

import {
  givenAddress,
  listQuery,
  nullable,
  oneOf,
  optional,
  strictObject,
  time,
  uuid,
  webAddress,
} from '../http/requests/schemas.ts'
import { articleFormats } from '../kinds/articles.ts'

/** decisions §2. */
export const Source = Type.Object(
  {
    id: uuid('Id of the source.'),
    name: Type.String({ examples: ['Help centre'] }),
    inboxId: uuid('The live-chat inbox that is answered from it.'),
    createdAt: time('When the source was created.'),
  },
  { title: 'LivechatSource' },
)
export type Source = Static<typeof Source>

const identity = {
  sourceId: uuid('The source the article belongs to.'),
  slug: Type.String({ examples: ['refunds'] }),
  title: nullable(Type.String({ examples: ['Refunds'] })),
}

const facts = {
  format: oneOf(articleFormats, 'How the content is written.'),
  canonicalUrl: nullable(webAddress({ description: 'Where the article is published.' })),
  indexedAt: time('When the article was last indexed for the assistant.'),
  createdAt: time('When the article was created.'),
  updatedAt: time('When the article was last replaced.'),
}

/** decisions §4. */
export const Article = Type.Object(
  {
    ...identity,
    content: nullable(
      Type.String({ description: 'In the form that `format` names.', examples: ['We refund within **30 days**.'] }),
    ),
    ...facts,
  },
  { title: 'Article' },
)
export type Article = Static<typeof Article>

/** An article of a list: without its content. */
export const ArticleSummary = Type.Object({ ...identity, ...facts }, { title: 'ArticleSummary' })
export type ArticleSummary = Static<typeof ArticleSummary>

/** decisions §1: the longest content, in bytes of UTF-8. */
export const MAX_CONTENT = 1024 * 1024

export const ArticleInput = strictObject(
  {
    title: optional(Type.String({ maxLength: 255, description: 'Plain text.' })),
    content: optional(
      Type.String({
        description:
          'In the form that `format` names. At most 1 MiB of UTF-8 with 5,000 `<`; words in the first 128 KiB are found.',
        documented: { maxLength: MAX_CONTENT },
      }),
    ),
    format: optional(oneOf(articleFormats, 'How the content is written: markdown when left out.')),
    canonicalUrl: optional(
      givenAddress(String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[^\s/\\]\S*$`, {
        maxLength: 2048,
        description: 'An http or https URL.',
      }),
    ),
  },
  {
    description: 'The whole article: fields left out become null.',
    examples: [{ title: 'Refunds', content: 'We refund within **30 days**.', format: 'markdown' }],
  },
)
export type ArticleInput = Static<typeof ArticleInput>

export const ArticleFilters = listQuery({
  query: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'Words to find in title and content, each at the beginning of a word; all have to be there. Of a content, in its first 128 KiB.',
    }),
  ),
})
