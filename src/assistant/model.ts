import { type Static, Type } from '@sinclair/typebox'
import { nullable, optional, strictObject, webAddress } from '../http/requests/schemas.ts'

/** The longest question, in characters. */
export const MAX_QUESTION = 500

export const Question = strictObject(
  {
    question: Type.String({
      maxLength: MAX_QUESTION,
      documented: { pattern: '\\S' },
      description: 'In the words of who asks.',
      examples: ['How do I get my money back if I cancel?'],
    }),
    language: optional(
      Type.String({
        maxLength: 35,
        description:
          'The reader’s language (BCP 47): articles are found and shown in it where they are translated. Left out: the ' +
          'first of `Accept-Language` that the articles are in.',
        examples: ['de'],
      }),
    ),
  },
  { examples: [{ question: 'How do I get my money back if I cancel?' }] },
)

const slug = Type.String({ examples: ['refunds'] })

/** An article that may hold the answer. */
export const Passage = Type.Object(
  {
    slug,
    title: nullable(Type.String({ examples: ['Refunds'] })),
    excerpt: Type.String({
      description: 'Plain text: the sentences that fit best, 300 characters at most.',
      examples: ['What has been paid goes back to the card it came from.'],
    }),
    url: webAddress({
      description: 'Where to read on: the article’s `canonicalUrl`, else its page in the help centre.',
    }),
  },
  { title: 'Passage' },
)
export type Passage = Static<typeof Passage>

/** decisions §13. */
export const Answered = Type.Object(
  {
    passages: Type.Array(Passage, { description: 'Best first; five at most, and none where nothing fits.' }),
    answer: nullable(
      Type.Object(
        {
          text: Type.String({ description: 'Plain text, written by a language model from the passages.' }),
          slugs: Type.Array(slug, { description: 'The passages it rests on.' }),
        },
        { description: 'Null where no language model is configured, or it had none.' },
      ),
    ),
  },
  { title: 'Answered' },
)
export type Answered = Static<typeof Answered>
