import { isNotNull, sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createdAt, updatedAt } from './columns.ts'
import { contacts } from './contacts.ts'
import { forms } from './forms.ts'
import { tenantId } from './tenants.ts'

export const responses = sqliteTable(
  'responses',
  {
    tenantId: tenantId(),
    /** Opaque outside; sorts by the time the response was begun. */
    id: text('id').notNull(),
    formId: text('form_id').notNull(),
    /** Number of the form's revision that it was begun in, and that its answers belong to. */
    revision: integer('revision').notNull().default(1),
    status: text('status', { enum: ['partial', 'complete'] }).notNull(),
    /** SHA-256 of the token that lets the respondent go on; null for a response that was never open to resuming. */
    resumeTokenHash: text('resume_token_hash'),
    contactId: text('contact_id'),
    /** JSON: `[{questionId, value}]` in the order of the form, values as decisions §4 has them. */
    answers: text('answers').notNull(),
    /** JSON: `{total, max, percentage}`. */
    scores: text('scores').notNull(),
    /** JSON: `{name: value}` of the hidden fields; null for none. */
    hiddenFields: text('hidden_fields'),
    /** JSON: `{NAME: number}` of the form's variables as they were at completion. */
    variables: text('variables').notNull().default('{}'),
    /** BCP 47: what the respondent read; null in what earlier versions stored, when forms had one language. */
    language: text('language'),
    startedAt: createdAt(),
    submittedAt: text('submitted_at'),
    /** When it is told of, where it is partial and nobody has touched it until then. */
    tellAt: text('tell_at'),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.formId], foreignColumns: [forms.tenantId, forms.id] }),
    index('responses_form').on(t.tenantId, t.formId, t.id),
    index('responses_status').on(t.tenantId, t.formId, t.status, t.id),
    index('responses_changed').on(t.tenantId, t.formId, t.updatedAt, t.id),
    // Of all forms; the form is in it so that those in the trash are passed over without reading the responses.
    index('responses_of_tenant').on(t.tenantId, t.status, t.id, t.formId),
    index('responses_changed_of_tenant').on(t.tenantId, t.updatedAt, t.id),
    index('responses_untold').on(t.tellAt).where(isNotNull(t.tellAt)),
    index('responses_partial').on(t.tenantId, t.updatedAt, t.id).where(sql`status = 'partial'`),
    // With the form, of which a group's responses are looked for. Many name nobody, and cost nothing here.
    index('responses_contact').on(t.tenantId, t.contactId, t.id, t.formId).where(isNotNull(t.contactId)),
    foreignKey({ columns: [t.tenantId, t.contactId], foreignColumns: [contacts.tenantId, contacts.id] }),
  ],
)

/**
 * Responses in columns, from which results are added up: those that had changed last between one mark and the next. They hold nothing that is not in the responses, and can be made again from those.
 */
export const responseSegments = sqliteTable(
  'response_segments',
  {
    tenantId: tenantId(),
    formId: text('form_id').notNull(),
    /** From 1. */
    number: integer('number').notNull(),
    /** The mark: when the last one had changed, and its id. */
    throughAt: text('through_at').notNull(),
    throughId: text('through_id').notNull(),
    /** `responses/results/segment.ts` writes and reads it. */
    content: text('content').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.formId, t.number] }),
    foreignKey({ columns: [t.tenantId, t.formId], foreignColumns: [forms.tenantId, forms.id] }),
  ],
)
