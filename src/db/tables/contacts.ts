import { isNotNull, sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { valueKinds } from '../../kinds/contact-imports.ts'
import { contactSources } from '../../kinds/contacts.ts'
import { createdAt, updatedAt } from './columns.ts'
import { groups } from './groups.ts'
import { organisations } from './organisations.ts'
import { tenantId } from './tenants.ts'

export const contacts = sqliteTable(
  'contacts',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    /** Null for those whom only a chat or a messenger knows (decisions §7). */
    email: text('email'),
    /** Trimmed and lower-cased: what de-duplication compares. */
    normalisedEmail: text('normalised_email'),
    name: text('name'),
    lastName: text('last_name'),
    phone: text('phone'),
    organisationId: text('organisation_id'),
    /** JSON: `[{fieldId, stringValue, numberValue, dateValue}]`, null for none: read with the contact, never alone. */
    customValues: text('custom_values'),
    unsubscribed: integer('unsubscribed', { mode: 'boolean' }).notNull().default(false),
    unsubscribedAt: text('unsubscribed_at'),
    source: text('source', { enum: contactSources }).notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.organisationId], foreignColumns: [organisations.tenantId, organisations.id] }),
    uniqueIndex('contacts_email').on(t.tenantId, t.normalisedEmail),
    index('contacts_unsubscribed').on(t.tenantId, t.unsubscribed, t.id),
    index('contacts_changed').on(t.tenantId, t.updatedAt, t.id),
    // Most contacts are in none, and cost nothing here.
    index('contacts_organisation').on(t.tenantId, t.organisationId, t.id).where(isNotNull(t.organisationId)),
    // People are looked for by how their names begin, in small letters: `contacts/search.ts`.
    index('contacts_name').on(t.tenantId, sql`lower(name)`, t.id).where(isNotNull(t.name)),
    index('contacts_last_name').on(t.tenantId, sql`lower(last_name)`, t.id).where(isNotNull(t.lastName)),
  ],
)

export const contactGroups = sqliteTable(
  'contact_groups',
  { tenantId: tenantId(), contactId: text('contact_id').notNull(), groupId: integer('group_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.contactId, t.groupId] }),
    foreignKey({
      columns: [t.tenantId, t.contactId],
      foreignColumns: [contacts.tenantId, contacts.id],
    }).onDelete('cascade'),
    foreignKey({ columns: [t.tenantId, t.groupId], foreignColumns: [groups.tenantId, groups.id] }),
    index('contact_groups_group').on(t.tenantId, t.groupId, t.contactId),
  ],
)

export const customFields = sqliteTable(
  'custom_fields',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    /** What its values are; null for a field that was made without one, whose values may be of each. */
    type: text('type', { enum: valueKinds }),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.id] }), uniqueIndex('custom_fields_name').on(t.tenantId, t.name)],
)

/** Contacts that are another one now: what was noted of them, by their id, belongs to that one. */
export const contactMerges = sqliteTable(
  'contact_merges',
  {
    tenantId: tenantId(),
    /** The contact that is gone. */
    contactId: text('contact_id').notNull(),
    intoId: text('into_id').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.contactId] }),
    foreignKey({ columns: [t.tenantId, t.intoId], foreignColumns: [contacts.tenantId, contacts.id] }).onDelete(
      'cascade',
    ),
    index('contact_merges_into').on(t.tenantId, t.intoId),
  ],
)
