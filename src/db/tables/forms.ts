import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { formFileKinds } from '../../kinds/form-files.ts'
import { createdAt, updatedAt } from './columns.ts'
import { tenantId, workspaces } from './tenants.ts'
import { users } from './users.ts'

/** Pages and questions live in the form's row, as one document: a form is created, read and rendered as a whole. */
export const forms = sqliteTable(
  'forms',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    workspaceId: text('workspace_id').notNull(),
    ownerId: text('owner_id').notNull(),
    title: text('title').notNull(),
    description: text('description'),
    launchCode: text('launch_code').notNull(),
    status: text('status', { enum: ['active', 'inactive'] }).notNull(),
    /** JSON: the pages as a form read returns them (`forms/model.ts`): of the published revision, if there is one. */
    pages: text('pages').notNull(),
    /** JSON: what is computed from answers, and the ends that answers decide on (`forms/logic/model.ts`), as `pages`. */
    variables: text('variables').notNull().default('[]'),
    ends: text('ends').notNull().default('[]'),
    /** Number of the published revision; 0 until the form is published for the first time. */
    revision: integer('revision').notNull().default(0),
    /** JSON: `{title, description, pages, variables, ends}` that are to be the next revision; null when there is nothing to publish. */
    draft: text('draft'),
    draftedAt: text('drafted_at'),
    /** Counts the changes to what is drafted: whoever changes it tells by this what they had before them. */
    draftVersion: integer('draft_version').notNull().default(0),
    /** JSON: the settings that differ from their defaults (`forms/settings/model.ts`); they belong to no revision. */
    settings: text('settings').notNull().default('{}'),
    /** The two settings by which collecting ends, which jobs and submissions ask for. */
    closesAt: text('closes_at'),
    maxResponses: integer('max_responses'),
    publishedAt: text('published_at'),
    trashedAt: text('trashed_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.workspaceId], foreignColumns: [workspaces.tenantId, workspaces.id] }),
    foreignKey({ columns: [t.tenantId, t.ownerId], foreignColumns: [users.tenantId, users.id] }),
    uniqueIndex('forms_launch_code').on(t.launchCode),
    index('forms_workspace').on(t.tenantId, t.workspaceId, t.id),
    index('forms_changed').on(t.tenantId, t.updatedAt, t.id),
    index('forms_trashed').on(t.tenantId, t.id).where(sql`trashed_at IS NOT NULL`),
    index('forms_closing').on(t.closesAt).where(sql`closes_at IS NOT NULL AND status = 'active'`),
  ],
)

/** What was published, and so what responses answer: never changed, and kept as long as the form. */
export const formRevisions = sqliteTable(
  'form_revisions',
  {
    tenantId: tenantId(),
    formId: text('form_id').notNull(),
    /** From 1. */
    number: integer('number').notNull(),
    /** JSON, as in the form's row, and so are the next two. */
    pages: text('pages').notNull(),
    variables: text('variables').notNull().default('[]'),
    ends: text('ends').notNull().default('[]'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.formId, t.number] }),
    foreignKey({ columns: [t.tenantId, t.formId], foreignColumns: [forms.tenantId, forms.id] }),
  ],
)

/** What was drafted before each of the last changes to a form, until it is published: to undo them, and what was undone. */
export const formEdits = sqliteTable(
  'form_edits',
  {
    tenantId: tenantId(),
    formId: text('form_id').notNull(),
    /** The version of the draft that the change made; the highest is the one to take back first. */
    version: integer('version').notNull(),
    kind: text('kind', { enum: ['undo', 'redo'] }).notNull(),
    /** What was done, in the words of the audit log. */
    what: text('what').notNull(),
    /** The user's id; null for a command. */
    authorId: text('author_id'),
    /** JSON: `{title, description, pages, variables, ends}` as they were before. */
    content: text('content').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.formId, t.version] }),
    foreignKey({ columns: [t.tenantId, t.formId], foreignColumns: [forms.tenantId, forms.id] }),
  ],
)

/** Files that a form's pages are shown with: its pictures and its font, at most one of each kind. */
export const formFiles = sqliteTable(
  'form_files',
  {
    tenantId: tenantId(),
    formId: text('form_id').notNull(),
    kind: text('kind', { enum: formFileKinds }).notNull(),
    contentType: text('content_type').notNull(),
    /** The file, in base64. */
    content: text('content').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.formId, t.kind] }),
    foreignKey({ columns: [t.tenantId, t.formId], foreignColumns: [forms.tenantId, forms.id] }),
  ],
)

/** What a form says in other languages than its own, beside what it asks: it belongs to no revision, and holds at once. */
export const formTexts = sqliteTable(
  'form_texts',
  {
    tenantId: tenantId(),
    formId: text('form_id').notNull(),
    /** BCP 47. */
    language: text('language').notNull(),
    /** JSON: texts by what they translate (`forms/texts/model.ts`); never empty. */
    texts: text('texts').notNull(),
    /** Another one after every change. */
    version: text('version').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.formId, t.language] }),
    foreignKey({ columns: [t.tenantId, t.formId], foreignColumns: [forms.tenantId, forms.id] }),
  ],
)
