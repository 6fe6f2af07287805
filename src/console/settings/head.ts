import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import { pageHead } from '../components/display.ts'
import { tabs } from '../components/lists.ts'
import type { Visit } from '../visit.ts'

/** What stands above every part of the settings. `current` is the path of the part. */
export function settingsHead(visit: Visit, current: string, intro?: string, actions?: Insert): Markup {
  const { say } = visit.wording
  // A form that could not be taken is answered at a path of its own.
  const here = { ...visit, url: new URL(current, visit.url) }
  return html`${pageHead(say('settingsTitle'), actions, intro)}
${tabs(here, say('settingsParts'), [
  { path: '/console/settings', text: say('settingsGeneral') },
  { path: '/console/settings/inboxes', text: say('settingsInboxes') },
  { path: '/console/settings/chats', text: say('settingsChats') },
  { path: '/console/settings/hours', text: say('settingsHours') },
  { path: '/console/settings/promises', text: say('settingsPromises') },
  { path: '/console/settings/tags', text: say('settingsTags') },
  { path: '/console/settings/teams', text: say('settingsTeams') },
  { path: '/console/settings/rules', text: say('settingsRules') },
  { path: '/console/settings/reports', text: say('settingsReports') },
  { path: '/console/settings/workspaces', text: say('settingsWorkspaces') },
  { path: '/console/settings/retention', text: say('settingsRetention') },
  { path: '/console/settings/backups', text: say('settingsBackups') },
])}`
}
