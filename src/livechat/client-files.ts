import { bundled } from '../lib/assets/bundled.ts' with { type: 'macro' }
import type { WidgetSettings } from './client/widget/types.ts'
import { chatShades } from './page/chat-page.ts'
import { chatStyleSheet } from './styles/index.ts'
import { chatWordsOf } from './words/index.ts'

/** Built with the program, so the executable carries them. */
const widget: string = bundled('livechat/client/widget')

/** What a chat's page loads: `/chat/assets/chat.js` and `/chat/assets/chat.css`. */
export const chatScript: string = bundled('livechat/client/chat')
export { chatStyleSheet }

/** For their addresses: another one whenever they change. */
export const chatVersion = new Bun.CryptoHasher('sha256')
  .update(chatScript)
  .update(chatStyleSheet)
  .digest('hex')
  .slice(0, 12)

/** The script that puts a chat on a site: `/chat/{sourceId}/widget.js`. `hidesButton`: nobody is there, and the source wants no button then. */
export function widgetScript(source: { language: string; accent: string | null; hidesButton: boolean }): string {
  const { say, direction } = chatWordsOf(source.language)
  const settings: WidgetSettings = {
    words: { chat: say('chat'), open: say('openChat'), close: say('closeChat') },
    direction,
    colours: chatShades(source.accent),
    hidesButton: source.hidesButton,
  }
  return `{const frontdeskWidget=${JSON.stringify(settings)};\n${widget}}`
}
