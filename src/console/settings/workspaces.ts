import { html } from '../../lib/html/markup.ts'
import { createWorkspace, listWorkspaces, renameWorkspace } from '../../tenants/operations.ts'
import { card } from '../components/display.ts'
import { button, field, form } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type Visit } from '../visit.ts'
import { settingsHead } from './head.ts'

export const WORKSPACES = '/console/settings/workspaces'

/** In which forms are kept: named, and further ones made. */
export async function workspacesPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const workspaces = await listWorkspaces(visit.db, visit.principal.tenantId)
  // Each form has a field of that name: only the one that was sent comes again.
  const sent = visit.params.id ?? null
  const ofForm = (id: string | null) => (again && id === sent ? again : undefined)
  return {
    title: say('settingsWorkspaces'),
    width: 'narrow',
    body: html`${settingsHead(visit, WORKSPACES, say('workspacesIntro'))}
${workspaces.map(
  ({ id, name }) =>
    html`<div class="card renamed">${form(visit, { action: `${WORKSPACES}/${id}` }, [
      html`<input type="hidden" name="before" value="${name}">`,
      field(visit, {
        name: 'name',
        id: id === sent ? 'field-name' : `field-name-${id}`,
        label: say('workspaceName'),
        value: name,
        required: true,
        maxLength: 255,
        again: ofForm(id),
      }),
      button(say('workspaceRename'), { kind: 'secondary' }),
    ])}</div>`,
)}
${card(
  say('workspaceNew'),
  form(visit, { action: WORKSPACES }, [
    field(visit, {
      name: 'name',
      id: sent === null ? 'field-name' : 'field-name-new',
      label: say('workspaceName'),
      required: true,
      maxLength: 255,
      again: ofForm(null),
    }),
    button(say('workspaceCreate')),
  ]),
)}`,
  }
}

export async function addWorkspace(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { name } = await visit.change((tx, caller) => createWorkspace(tx, caller, { name: sent.text('name') }))
  return redirectTo(WORKSPACES, visit.wording.say('workspaceCreated', { name }))
}

export async function saveWorkspace(visit: Visit, sent: FormFields): Promise<Redirect> {
  const input = { name: sent.text('name'), before: sent.exact('before') }
  await visit.change((tx, caller) => renameWorkspace(tx, caller, visit.params.id as string, input))
  return redirectTo(WORKSPACES, visit.wording.say('settingsSaved'))
}
