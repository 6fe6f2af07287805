import { billing } from './billing.ts'
import { chat } from './chat.ts'
import { help } from './help.ts'
import type { Topic } from './topic.ts'

export { junk } from './junk.ts'
export type { Topic } from './topic.ts'

export const topics: readonly Topic[] = [...help, ...billing, ...chat]
