import type { Author } from '../caller.ts'
import { commandCaller } from '../caller.ts'
import { createCustomField } from '../contacts/fields/custom-fields.ts'
import type { Tx } from '../db/index.ts'
import { createGroup } from '../groups/operations.ts'
import { createInbox } from '../inboxes/operations.ts'
import { createTag } from '../tags/operations.ts'
import { createTeam } from '../teams/operations.ts'
import { createTenant, createWorkspace } from '../tenants/operations.ts'
import { createUser } from '../users/accounts.ts'

/** Who works at Harbour & Pine. Its admin's address is also how a demo tenant is recognised. */
export const ADMIN_EMAIL = 'robin.adeyemi@harbourandpine.example'
export const ADMIN_NAME = 'Robin Adeyemi'
/** Where its customers write to. */
export const HELP_ADDRESS = 'help@harbourandpine.example'
const AGENTS = [
  { name: 'Maja Lindqvist', email: 'maja.lindqvist@harbourandpine.example' },
  { name: 'Tariq Rahmani', email: 'tariq.rahmani@harbourandpine.example' },
  { name: 'Grace Fenwick', email: 'grace.fenwick@harbourandpine.example' },
]

const GROUPS = [
  ['Product news', 'Send me news about the product, about once a month.', 'marketing_opt_in'],
  ['Host newsletter', 'Send me stories and tips from other hosts every two weeks.', 'marketing_opt_in'],
  ['Event invitations', 'Invite me to open houses and online workshops.', 'marketing_opt_in'],
  ['Research panel', 'You may ask me to take part in interviews and surveys; I can stop at any time.', 'research'],
  ['Beta testers', 'Switch new features on for me early and ask me how they work.', 'beta_terms'],
  ['Account owners', null, null],
] as const

const FIELDS = { Plan: 'text', Seats: 'number', 'Renewal date': 'date', 'Found us through': 'text' } as const

/** Tags that stand out among those that agents make as they go. */
const COLOURS = [
  ['bug', '#b42318'],
  ['refund', '#b54708'],
  ['sales', '#067647'],
] as const

/** What everything else in the demo refers to. */
export interface Company {
  readonly tenantId: string
  readonly admin: Author
  readonly agents: readonly Author[]
  readonly workspaces: { readonly main: string; readonly research: string }
  readonly inboxes: Readonly<Record<'help' | 'billing' | 'chat', string>>
  readonly teams: Readonly<Record<'support' | 'billing', string>>
  readonly groups: Readonly<Record<(typeof GROUPS)[number][0], number>>
  readonly fields: Readonly<Record<keyof typeof FIELDS, string>>
}

/**
 * Harbour & Pine, which makes booking software for guest houses and studios: its people, teams, workspaces, inboxes,
 * tags, groups and custom fields. All people sign in with the same password.
 */
export async function foundCompany(tx: Tx, at: number, passwordHash: string): Promise<Company> {
  const { tenantId, workspaceId: main } = await createTenant(tx, { name: 'Harbour & Pine' }, at)
  let later = at
  const caller = () => commandCaller(tenantId, later++)
  const { userId: adminId } = await createUser(tx, caller(), {
    email: ADMIN_EMAIL,
    name: ADMIN_NAME,
    role: 'admin',
    billable: true,
    passwordHash,
  })
  const agents: Author[] = []
  for (const { name, email } of AGENTS) {
    const { userId } = await createUser(tx, caller(), { email, name, role: 'agent', billable: false, passwordHash })
    agents.push({ type: 'agent', id: userId, name })
  }
  const [maja, tariq, grace] = agents.map(({ id }) => id as string)
  const team = (name: string, members: readonly (string | undefined)[], distribution: 'none' | 'least_open') =>
    createTeam(tx, caller(), { name, memberIds: members.flatMap((id) => id ?? []), distribution })
  const support = await team('Support', [maja, tariq], 'least_open')
  const money = await team('Billing', [grace, adminId], 'none')
  for (const [name, colour] of COLOURS) await createTag(tx, caller(), { name, colour })
  const research = await createWorkspace(tx, caller(), { name: 'Product research' })
  const mailbox = (name: string, emailAddress: string) =>
    createInbox(tx, caller(), { name, channel: 'email', emailAddress })
  const help = await mailbox('Help desk', HELP_ADDRESS)
  const billing = await mailbox('Billing', 'billing@harbourandpine.example')
  const chat = await createInbox(tx, caller(), { name: 'Website chat', channel: 'livechat' })
  const groups: Record<string, number> = {}
  for (const [name, consentWording, consentGroupType] of GROUPS) {
    groups[name] = (await createGroup(tx, caller(), { name, consentWording, consentGroupType })).id
  }
  const fields: Record<string, string> = {}
  for (const [name, type] of Object.entries(FIELDS)) {
    fields[name] = (await createCustomField(tx, caller(), { name, type })).id
  }
  return {
    tenantId,
    admin: { type: 'agent', id: adminId, name: ADMIN_NAME },
    agents,
    workspaces: { main, research: research.id },
    inboxes: { help: help.id, billing: billing.id, chat: chat.id },
    teams: { support: support.id, billing: money.id },
    groups: groups as Company['groups'],
    fields: fields as Company['fields'],
  }
}
