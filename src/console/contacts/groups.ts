import { deleteGroup } from '../../contacts/deletion/group.ts'
import { AppError } from '../../errors.ts'
import type { Group } from '../../groups/model.ts'
import { createGroup, getGroup, groupIdIn, listGroups, updateGroup } from '../../groups/operations.ts'
import { html } from '../../lib/html/markup.ts'
import { backLink, linkButton, pageHead } from '../components/display.ts'
import { button, buttons, confirmed, field, form, textArea } from '../components/forms.ts'
import { table } from '../components/lists.ts'
import type { FormFields } from '../form-fields.ts'
import type { Guard } from '../guard.ts'
import { refuse } from '../refusal.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type Visit } from '../visit.ts'
import { contactTabs } from './tabs.ts'

const LIST = '/console/contacts/groups'

/** Groups of contacts, and what their members agreed to. */
export function groupPages(add: Guard): void {
  add.page(LIST, {}, groupsPage)
  add.page(`${LIST}/new`, {}, (visit) => formPage(visit, null))
  add.action(`${LIST}/new`, { again: (visit, again) => formPage(visit, null, again) }, create)
  add.page(`${LIST}/:group`, {}, (visit) => editPage(visit))
  add.action(`${LIST}/:group`, { again: editPage }, save)
  add.action(`${LIST}/:group/delete`, {}, remove)
}

async function groupsPage(visit: Visit): Promise<PageContent> {
  const { say, write } = visit.wording
  const groups = await listGroups(visit.db, visit.principal.tenantId)
  return {
    title: say('contactGroups'),
    body: html`${pageHead(say('contactGroups'), linkButton(visit, `${LIST}/new`, say('groupNew')), say('groupsIntro'))}
${contactTabs(visit)}
${table({
  caption: say('contactGroups'),
  hidesCaption: true,
  columns: [
    { label: say('contactName') },
    { label: say('groupWording') },
    { label: say('groupType') },
    { label: say('contactsTitle'), kind: 'number' },
  ],
  rows: groups.map(({ id, name, consentWording, consentGroupType, contactCount }) => [
    html`<a href="${visit.href(`${LIST}/${id}`)}">${name}</a>`,
    consentWording && html`<div class="prose-cell">${consentWording}</div>`,
    consentGroupType,
    html`<a href="${visit.href(`/console/contacts?group=${id}`)}" aria-label="${say('groupMembers', { count: contactCount, name })}">${write(contactCount)}</a>`,
  ]),
  empty: say('groupsNone'),
  first: linkButton(visit, `${LIST}/new`, say('groupNew'), 'secondary'),
})}`,
  }
}

async function editPage(visit: Visit, again?: Again): Promise<PageContent> {
  return formPage(visit, await getGroup(visit.db, visit.principal.tenantId, idOf(visit)), again)
}

const idOf = ({ params }: Visit) => groupIdIn(params.group ?? '')

function formPage(visit: Visit, group: Group | null, again?: Again): PageContent {
  const { say } = visit.wording
  const title = say(group ? 'groupEdit' : 'groupNew')
  const isFixed = group !== null && group.contactCount > 0
  return {
    title,
    width: 'narrow',
    body: html`${backLink(visit, LIST, say('contactGroups'))}
${pageHead(title)}
${form(visit, { action: group ? `${LIST}/${group.id}` : `${LIST}/new` }, [
  group && html`<input type="hidden" name="version" value="${versionOf(group)}">`,
  field(visit, { name: 'name', label: say('contactName'), value: group?.name, required: true, maxLength: 255, again }),
  isFixed ? fixed(visit, group) : consentFields(visit, group, again),
  buttons(button(say(group ? 'save' : 'groupCreate')), linkButton(visit, LIST, say('cancel'), 'secondary')),
])}
${
  group &&
  confirmed(visit, {
    label: say('groupDelete'),
    question: say('groupDeleteQuestion', { name: group.name, count: group.contactCount }),
    action: `${LIST}/${group.id}/delete`,
  })
}`,
  }
}

function consentFields(visit: Visit, group: Group | null, again?: Again) {
  const { say } = visit.wording
  return [
    textArea(visit, {
      name: 'consentWording',
      label: say('groupWording'),
      value: group?.consentWording ?? null,
      rows: 5,
      maxLength: 10_000,
      help: say('groupWordingHelp'),
      again,
    }),
    field(visit, {
      name: 'consentGroupType',
      label: say('groupType'),
      value: group?.consentGroupType,
      maxLength: 255,
      help: say('groupTypeHelp'),
      again,
    }),
  ]
}

/** Nobody changes what members agreed to. */
function fixed(visit: Visit, { consentWording, consentGroupType, contactCount }: Group) {
  const { say } = visit.wording
  return html`<div class="card"><p class="help">${say('groupFixed', { count: contactCount })}</p>
<dl><div><dt>${say('groupWording')}</dt><dd>${consentWording ?? '–'}</dd></div><div><dt>${say('groupType')}</dt><dd>${consentGroupType ?? '–'}</dd></div></dl></div>`
}

function versionOf({ name, consentWording, consentGroupType }: Group): string {
  return JSON.stringify([name, consentWording, consentGroupType])
}

const inputOf = (sent: FormFields) => ({
  name: sent.text('name'),
  consentWording: sent.text('consentWording') || null,
  consentGroupType: sent.text('consentGroupType') || null,
})

async function create(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { name } = await visit.change((tx, caller) => createGroup(tx, caller, inputOf(sent)))
  return redirectTo(LIST, visit.wording.say('groupCreated', { name }))
}

async function save(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { say } = visit.wording
  const id = idOf(visit)
  const saved = await visit.change(async (tx, caller) => {
    const before = await getGroup(tx, caller.tenantId, id)
    if (sent.exact('version') !== versionOf(before)) {
      const now = [before.name, before.consentWording, before.consentGroupType].filter(Boolean).join(' · ')
      throw refuse(say('changedMeanwhile', { now }))
    }
    // Where the wording is fixed there are no fields for it.
    const input = sent.has('consentWording') ? inputOf(sent) : { ...before, name: sent.text('name') }
    return orMembers(visit, () => updateGroup(tx, caller, id, input))
  })
  return redirectTo(LIST, say('groupSaved', { name: saved.name }))
}

/** Somebody joined while the wording was being edited. */
async function orMembers<T>(visit: Visit, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
    throw refuse(visit.wording.say('groupHasMembers'), 'consentWording')
  }
}

async function remove(visit: Visit): Promise<Redirect> {
  const id = idOf(visit)
  const { name } = await getGroup(visit.db, visit.principal.tenantId, id)
  // A few hundred contacts at a time: others are served in between.
  while (await visit.change((tx, caller) => deleteGroup(tx, caller, id))) {}
  return redirectTo(LIST, visit.wording.say('groupDeleted', { name }))
}
