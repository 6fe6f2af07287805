import { type ChatSettingsChanges, changeChatSettings, renewChatSecret } from '../../../src/livechat/settings.ts'
import type { TestApp, TestTenant } from '../app.ts'

/** As `source update` does. */
export function updateSource(tenant: TestTenant, sourceId: string, changes: ChatSettingsChanges) {
  return tenant.perform((tx, caller) => changeChatSettings(tx, caller, sourceId, changes))
}

/** As `source secret` does. */
export function renewSecret({ deps }: TestApp, tenant: TestTenant, sourceId: string) {
  return tenant.perform((tx, caller) => renewChatSecret(tx, caller, sourceId, deps.secrets))
}
