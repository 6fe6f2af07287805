import { and, eq, sql } from 'drizzle-orm'
import { ofTenant, prepared, preparedWrite } from '../db/index.ts'
import { responses } from '../db/schema.ts'

/* The statements by which `collection.ts` and `payments.ts` keep responses. */

export const openResponse = prepared((db) =>
  db
    .select({
      status: responses.status,
      resumeTokenHash: responses.resumeTokenHash,
      answers: responses.answers,
      revision: responses.revision,
      startedAt: responses.startedAt,
      hiddenFields: responses.hiddenFields,
      variables: responses.variables,
      language: responses.language,
    })
    .from(responses)
    .where(
      and(
        ofTenant(responses),
        eq(responses.formId, sql.placeholder('formId')),
        eq(responses.id, sql.placeholder('id')),
      ),
    )
    .prepare(),
)

export const insertResponse = preparedWrite((tx) =>
  tx
    .insert(responses)
    .values({
      tenantId: sql.placeholder('tenantId'),
      id: sql.placeholder('id'),
      formId: sql.placeholder('formId'),
      revision: sql.placeholder('revision'),
      status: sql.placeholder('status'),
      resumeTokenHash: sql.placeholder('resumeTokenHash'),
      contactId: sql.placeholder('contactId'),
      answers: sql.placeholder('answers'),
      scores: sql.placeholder('scores'),
      hiddenFields: sql.placeholder('hiddenFields'),
      language: sql.placeholder('language'),
      variables: sql.placeholder('variables'),
      startedAt: sql.placeholder('startedAt'),
      submittedAt: sql.placeholder('submittedAt'),
      updatedAt: sql.placeholder('updatedAt'),
      tellAt: sql.placeholder('tellAt'),
    })
    .prepare(),
)

export const updateResponse = preparedWrite((tx) =>
  tx
    .update(responses)
    .set({
      status: sql`${sql.placeholder('status')}`,
      contactId: sql`${sql.placeholder('contactId')}`,
      answers: sql`${sql.placeholder('answers')}`,
      scores: sql`${sql.placeholder('scores')}`,
      hiddenFields: sql`${sql.placeholder('hiddenFields')}`,
      language: sql`${sql.placeholder('language')}`,
      variables: sql`${sql.placeholder('variables')}`,
      submittedAt: sql`${sql.placeholder('submittedAt')}`,
      updatedAt: sql`${sql.placeholder('updatedAt')}`,
      tellAt: sql`${sql.placeholder('tellAt')}`,
    })
    .where(and(ofTenant(responses), eq(responses.id, sql.placeholder('id'))))
    .prepare(),
)

export const updateAnswers = preparedWrite((tx) =>
  tx
    .update(responses)
    .set({ answers: sql`${sql.placeholder('answers')}`, updatedAt: sql`${sql.placeholder('updatedAt')}` })
    .where(and(ofTenant(responses), eq(responses.id, sql.placeholder('id'))))
    .prepare(),
)
