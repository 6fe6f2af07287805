import { and, desc, eq, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { forms, responses } from '../db/schema.ts'
import { parsePages, questionsOf } from '../forms/pages.ts'
import type { StoredAnswer } from './answers.ts'
import { listedColumns, ofForm, type ResponseOfContact } from './lists/of-contact.ts'
import type { Response } from './model.ts'

/** How content a response was: its recommendation, else its stars, else how much of its points. */
export type Rating =
  | { readonly kind: 'nps'; readonly points: number }
  | { readonly kind: 'stars'; readonly points: number; readonly most: number }
  | { readonly kind: 'score'; readonly percentage: number }

export interface RatedResponse extends ResponseOfContact {
  /** Null where nothing was asked that rates, or nothing of it answered. */
  readonly rating: Rating | null
}

/** Characters above which neither a form nor answers are taken apart for this: their points say enough. */
const MAX_TEXT = 64_000

const rated = prepared((db) =>
  db
    .select(
      named({
        ...listedColumns,
        scores: responses.scores,
        answers: sql<
          string | null
        >`CASE WHEN length(${responses.answers}) <= ${MAX_TEXT} THEN ${responses.answers} END`,
        pages: sql<string | null>`CASE WHEN length(${forms.pages}) <= ${MAX_TEXT} THEN ${forms.pages} END`,
      }),
    )
    .from(responses)
    .leftJoin(forms, ofForm)
    .where(and(ofTenant(responses), eq(responses.contactId, sql.placeholder('contactId'))))
    .orderBy(desc(responses.id))
    .limit(sql.placeholder('limit'))
    .prepare(),
)

/** A contact's newest responses to all forms, with what they say of how content the contact was. */
export async function ratedResponsesOf(
  db: Reader,
  tenantId: string,
  contactId: string,
  limit: number,
): Promise<RatedResponse[]> {
  const rows = await rated(db).execute({ tenantId, contactId, limit })
  return rows.map(({ scores, answers, pages, ...row }) => ({
    ...row,
    rating: (answers && pages ? ratingIn(pages, JSON.parse(answers)) : null) ?? scoreIn(JSON.parse(scores)),
  }))
}

/**
 * The first answer that rates, by the form as it is now. A question that has become another kind since rates no more: what
 * was answered then need not fit.
 */
function ratingIn(pages: string, answers: readonly StoredAnswer[]): Rating | null {
  const given = new Map(answers.map(({ questionId, value }) => [questionId, value]))
  const questions = questionsOf(parsePages(pages))
  for (const { id, type } of questions) {
    const points = given.get(id)
    if (type === 'nps' && isWithin(points, 10)) return { kind: 'nps', points }
  }
  for (const question of questions) {
    const points = given.get(question.id)
    if (question.type !== 'star_rating') continue
    const { maxStars: most } = question.settings
    if (isWithin(points, most)) return { kind: 'stars', points, most }
  }
  return null
}

const isWithin = (points: unknown, most: number): points is number =>
  typeof points === 'number' && points >= 0 && points <= most

function scoreIn({ percentage }: Response['scores']): Rating | null {
  return percentage === null ? null : { kind: 'score', percentage }
}
