/**
 * The rooms of `src`, its folders and the files beside them, from what people start down to what imports nothing. A room
 * uses those on lower lines, and on its own line those to its right; never the other way (`test/imports.test.ts`). The
 * guide shows this list as it is.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  programs: ['client', 'packaging', 'main', 'cli', 'service', 'handover', 'warm-up', 'app'],
  'for people': ['demo', 'jobs', 'console', 'guide', 'home', 'help', 'livechat', 'hosted', 'mcp'],
  'over features': [
    'docs',
    'eventlog',
    'leaving',
    'rules',
    'retention',
    'privacy',
    'reports',
    'payments',
    'doctor',
    'check',
    'metrics',
  ],
  features: [
    'responses',
    'satisfaction',
    'channels',
    'visitors',
    'tickets',
    'promises',
    'conditions',
    'assistant',
    'contacts',
    'uploads',
  ],
  'their ground': ['installation', 'webhooks', 'calendars', 'inboxes', 'articles'],
  records: ['organisations', 'groups', 'forms', 'workspaces', 'tags', 'alerts', 'teams'],
  requests: ['deps', 'keys', 'http', 'live', 'work'],
  people: ['users', 'tenants'],
  storage: ['upgrade', 'parts', 'events', 'backup', 'audit', 'db', 'files', 'config', 'folder'],
  words: ['ports', 'lib', 'errors', 'words', 'kinds', 'caller', 'secrets', 'production', 'version'],
}

/** The list as the guide has it. */
export function layersAsText(): string {
  const width = Math.max(...Object.keys(layers).map((name) => name.length)) + 2
  return Object.entries(layers)
    .map(([name, rooms]) => `${name.padEnd(width)}${rooms.join('  ')}\n`)
    .join('')
}
