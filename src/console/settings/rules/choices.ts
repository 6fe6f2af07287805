import type { NamedRecord } from '../../../conditions/fields.ts'
import { groupsToChoose, listCustomFields } from '../../../contacts/rows.ts'
import { listForms } from '../../../forms/operations.ts'
import { listInboxes } from '../../../inboxes/operations.ts'
import { listOrganisationNames, organisationNamesOf } from '../../../organisations/operations.ts'
import { findSatisfactionForm } from '../../../satisfaction/ready-made.ts'
import { tagsToChoose } from '../../../tags/read.ts'
import { knownTeams } from '../../../teams/read.ts'
import { listCannedReplies } from '../../../tickets/writing/canned-replies.ts'
import { allColleagues } from '../../../users/colleagues.ts'
import type { Visit } from '../../visit.ts'

/** Of what there may be thousands, so many can be chosen of. */
const MOST = 200

export type Option = readonly [value: string, text: string]

/** What rules can name, to choose of. */
export interface Choices {
  readonly records: Readonly<Record<NamedRecord, readonly Option[]>>
  /** Whether the form that asks how content customers were is still to be made. */
  readonly canMakeForm: boolean
  readonly emailInboxes: readonly Option[]
  readonly canned: readonly Option[]
  readonly addresses: readonly Option[]
  readonly tags: readonly string[]
  readonly customFields: readonly string[]
}

/** What this tenant's rules can name. `named` are ids that a rule names already, and that may not be among the newest. */
export async function choicesOf(visit: Visit, named: readonly string[] = []): Promise<Choices> {
  const { db, wording } = visit
  const { tenantId } = visit.principal
  const byName = (options: Option[]) => options.sort((one, other) => one[1].localeCompare(other[1], wording.locale))
  const inboxes = await listInboxes(db, tenantId)
  const people = await allColleagues(db, tenantId)
  const { items: forms } = await listForms(db, tenantId, { cursor: undefined, limit: 100 }, {})
  const newest = await listOrganisationNames(db, tenantId, MOST)
  const others = await organisationNamesOf(db, tenantId, named)
  const organisations = new Map([...newest.map(({ id, name }) => [id, name] as const), ...others])
  return {
    records: {
      inbox: byName(inboxes.map(({ id, name }) => [id, name])),
      user: byName(people.map(({ id, name }) => [id, name])),
      team: byName((await knownTeams(db, tenantId)).map(({ id, name }) => [id, name])),
      form: byName(forms.map(({ id, title }) => [id, title])),
      group: byName((await groupsToChoose(db, tenantId)).map(({ id, name }) => [String(id), name])),
      organisation: byName([...organisations].map(([id, name]) => [id, name])),
    },
    canMakeForm: (await findSatisfactionForm(db, tenantId)) === null,
    emailInboxes: byName(inboxes.filter(({ channel }) => channel === 'email').map(({ id, name }) => [id, name])),
    canned: byName((await listCannedReplies(db, tenantId, null)).map(({ id, name }) => [id, name])),
    addresses: byName(people.map(({ email, name }) => [email.toLowerCase(), `${name} <${email}>`])),
    tags: (await tagsToChoose(db, tenantId)).map(({ name }) => name),
    customFields: (await listCustomFields(db, tenantId)).map(({ name }) => name),
  }
}

/** What an id is called, or the id where nothing is called so any more. */
export const nameIn = (options: readonly Option[], id: string): string =>
  options.find(([value]) => value === id.toLowerCase())?.[1] ?? id
